import { AppError } from "#lib/errors.ts";
import { logToStandardError } from "#lib/log.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { describeFault } from "#lib/templates/build-registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { prepareRendering } from "./prepare.ts";

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

logToStandardError();
try {
  const { templates, faults } = await prepareRendering();
  const failures = faults.map(describeFault);
  for (const template of templates) failures.push(...(await renderVariants(template)));
  for (const failure of failures) console.error(failure);
  const variants = templates.reduce((sum, template) => sum + Object.keys(template.variants).length, 0);
  console.log(`Checked ${templates.length} templates and rendered ${variants} variants.`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await shutDown();
}
