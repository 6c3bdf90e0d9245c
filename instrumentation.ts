/** Starts browsers, process metrics, templates and the access layer with the server, so that faults are logged before the first request. */
export async function register(): Promise<void> {
  // The bundler replaces this expression and drops the rest for other runtimes.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { rendersHere } = await import("#lib/render/bundled-chromium.ts");
  const { watchProcess } = await import("#lib/metrics.ts");
  const { readTemplates } = await import("#lib/templates/registry.ts");
  const { noteStarted } = await import("#lib/life-cycle.ts");
  // Not awaited: the server listens meanwhile, and `/readyz` reports when it is ready.
  watchProcess();
  if (rendersHere()) {
    // Imported here only, so that a function without Chromium does not load the renderer.
    const { warmUp } = await import("#lib/render/render.ts");
    const { loadDetector } = await import("#lib/type/text/language.ts");
    void warmUp();
    // Now, while the browsers start, rather than with the first picture.
    loadDetector();
  }
  void readTemplates();
  const { accessEnabled } = await import("#lib/config.ts");
  if (accessEnabled()) {
    // Imported here only, so that open mode loads no database code.
    const { startAccess } = await import("#lib/access/start.ts");
    startAccess();
  }
  noteStarted();
}
