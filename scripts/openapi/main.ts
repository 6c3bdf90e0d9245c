import { parseArgs } from "node:util";
import { origin as readOrigin } from "#lib/environment/kinds.ts";
import { loadEnvironment } from "#scripts/environment.ts";
import { HelpRequest, runCommand } from "#scripts/run-command.ts";

const USAGE = `Writes the OpenAPI 3.1 document of this service to standard output. It asks no server.

  npm run --silent openapi > openapi.json

  --origin <origin>  of the service; without it, SERVICE_PUBLIC_ORIGIN, or the server that the document comes from

The document describes what the environment switches on: with SERVICE_AUTH_ENABLED=true it has accounts and tokens too.`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { origin: { type: "string" }, help: { type: "boolean", short: "h" } } });
  if (values.help) throw new HelpRequest(USAGE);
  loadEnvironment("production");
  // Late, because it loads everything that the service does.
  const { describeService } = await import("#lib/operations/all.ts");
  const document = await describeService(values.origin === undefined ? undefined : readOrigin(values.origin));
  console.log(JSON.stringify(document, null, 2));
}

await runCommand(main);
