/**
 * Starts the browser and reads the templates with the server, whichever server that is: the first render waits for
 * neither, and what is faulty is in the log before anyone asks.
 */
export async function register(): Promise<void> {
  // Written out because the bundler leaves the branch away where there is no Node.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { warmUp } = await import("#lib/render/render.ts");
  const { readTemplates } = await import("#lib/templates/registry.ts");
  // Not awaited: the server listens meanwhile, and `/readyz` says when it is ready.
  void warmUp();
  void readTemplates();
}
