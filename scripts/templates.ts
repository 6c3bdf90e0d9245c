import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { describeFault } from "#lib/templates/build-registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { prepareRendering } from "./prepare.ts";
import { runCommand, UsageError } from "./run-command.ts";
import { proveTemplates } from "./templates/proof.ts";

const USAGE = `Checks templates.

  npm run templates                             checks every template and renders every variant
  npm run templates -- proof [template …]       looks for faults in pictures with difficult contents; --help tells more`;

/** Renders every variant as a request would. @returns a message for each one that fails */
async function renderVariants({ slug, variants }: Template): Promise<string[]> {
  const failures: string[] = [];
  for (const variant of Object.keys(variants)) {
    try {
      await renderTemplate({ template: slug, variant });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failures.push(`${slug}/content.json: the variant "${variant}" cannot be rendered: ${error.message}`);
    }
  }
  return failures;
}

async function checkTemplates(): Promise<void> {
  const { templates, faults } = await prepareRendering();
  const failures = faults.map(describeFault);
  for (const template of templates) failures.push(...(await renderVariants(template)));
  for (const failure of failures) console.error(failure);
  const variants = templates.reduce((sum, template) => sum + Object.keys(template.variants).length, 0);
  console.log(`Checked ${templates.length} templates and rendered ${variants} variants.`);
  if (failures.length > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const [command, ...args] = process.argv.slice(2);
  if (command === "proof") await proveTemplates(args);
  else if (command === undefined) await checkTemplates();
  else throw new UsageError(USAGE);
}

function explain(error: unknown): string {
  const isExpected =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof AppError ||
    (error instanceof Error && "code" in error);
  return error instanceof Error && isExpected ? error.message : String(error instanceof Error ? error.stack : error);
}

try {
  await runCommand(main, (error) => ({ text: explain(error), exitCode: 1 }));
} finally {
  await shutDown();
}
