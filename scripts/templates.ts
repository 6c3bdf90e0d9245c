import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shutDown } from "#lib/render/render.ts";
import { jsonSchemas, SCHEMAS_DIR } from "#lib/templates/folders/json-schemas.ts";
import { runCommand, UsageError } from "./run-command.ts";
import { checkTemplates } from "./templates/check.ts";
import { newTemplate } from "./templates/new.ts";
import { proveTemplates } from "./templates/proof.ts";

const USAGE = `Checks and makes templates.

  npm run templates                             checks every template, and draws every variant and a contact sheet
  npm run templates -- new <slug>               makes the folder of a new template; --help tells more
  npm run templates -- proof [template …]       looks for faults in pictures with difficult contents; --help tells more
  npm run templates -- schemas                  writes the JSON Schemas of the files of a template`;

async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined || command.startsWith("-")) await checkTemplates(process.argv.slice(2));
  else if (command === "new") await newTemplate(args);
  else if (command === "proof") await proveTemplates(args);
  else if (command === "schemas") writeSchemas();
  else throw new UsageError(USAGE);
}

function writeSchemas(): void {
  mkdirSync(SCHEMAS_DIR, { recursive: true });
  for (const [file, schema] of Object.entries(jsonSchemas()))
    writeFileSync(join(SCHEMAS_DIR, file), `${JSON.stringify(schema, null, 2)}\n`);
}

try {
  await runCommand(main);
} finally {
  await shutDown();
}
