import { loadEnvironment } from "./environment.ts";
import { runCommand } from "./run-command.ts";
import { explainFailure, runUsersCommand } from "./users/run.ts";

const print = (text: string) =>
  new Promise<boolean>((resolve) => process.stdout.write(text, (error) => resolve(!error)));
const terminal = { input: process.stdin, output: process.stderr, print };
await runCommand(async () => {
  loadEnvironment("production");
  const output = await runUsersCommand({ args: process.argv.slice(2), terminal });
  if (output !== undefined) console.log(output);
}, explainFailure);
