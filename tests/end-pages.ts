import { killLeftProcesses, RUN_VARIABLE } from "#tests/left-processes.ts";

/** Ends what the page tests left running. @throws Error when there was anything */
export default async function endPages(): Promise<void> {
  const left = await killLeftProcesses(RUN_VARIABLE, process.env[RUN_VARIABLE] ?? "");
  if (left.length > 0) throw new Error(`These processes outlived the tests that started them:\n${left.join("\n")}`);
}
