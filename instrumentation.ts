/** Starts the browser with the server, whichever server that is, so that the first render does not wait for it. */
export async function register(): Promise<void> {
  // Written out because the bundler leaves the branch away where there is no Node.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { warmUp } = await import("#lib/render/render.ts");
  void warmUp();
}
