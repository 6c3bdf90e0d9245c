/**
 * Starts the browser, and the watch over the process, with the server, whichever server that is, reads the templates, and
 * begins what the access layer needs where it is on: what is faulty is in the log before anyone asks.
 */
export async function register(): Promise<void> {
  // Written out because the bundler leaves the branch away where there is no Node.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { warmUp } = await import("#lib/render/render.ts");
  const { watchProcess } = await import("#lib/metrics.ts");
  const { readTemplates } = await import("#lib/templates/registry.ts");
  // Not awaited: the server listens meanwhile, and `/readyz` says when it is ready.
  watchProcess();
  void warmUp();
  void readTemplates();
  const { accessEnabled } = await import("#lib/config.ts");
  if (!accessEnabled()) return;
  // Loaded here alone, so that open mode has nothing of a database in it.
  const { startAccess } = await import("#lib/access/start.ts");
  startAccess();
}
