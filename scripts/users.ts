import { loadEnvironment } from "./environment.ts";
import { runCommand } from "./run-command.ts";
import { explainFailure, runUsersCommand } from "./users/run.ts";

loadEnvironment("production");
const terminal = { input: process.stdin, output: process.stderr };
await runCommand(
  async () => console.log(await runUsersCommand({ args: process.argv.slice(2), terminal })),
  explainFailure,
);
