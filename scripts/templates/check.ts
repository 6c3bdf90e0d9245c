import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BUILD_DIR } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { describeNotice, type SourceText, withoutRepeated } from "#lib/notices/notice.ts";
import { drawForNotices, drawnNotices, type SeenVariant } from "#lib/notices/template-notices.ts";
import { describeFault } from "#lib/templates/build-registry.ts";
import type { Template, TemplateFault } from "#lib/templates/template.ts";
import { prepareRendering } from "#scripts/prepare.ts";
import { HelpRequest } from "#scripts/run-command.ts";
import { shownPath } from "#scripts/shown-path.ts";
import { ContactSheet } from "./contact-sheet.ts";
import { readTemplateFiles, styleNotices } from "./style-notices.ts";

const USAGE = `Checks every template, and draws every variant.

  npm run templates -- [--out <folder>]

  --out <folder>   where the pictures and the contact sheet go; without it, .platen/pictures

Exits with 1 when a template has a fault, and where there is none. Also:

  npm run templates -- new <slug>               makes the folder of a new template; --help tells more
  npm run templates -- proof [template …]       looks for faults in pictures with difficult contents; --help tells more`;

/** A fault with the line of its file below it. */
function describeWithSource(fault: TemplateFault): string {
  return fault.source === undefined ? describeFault(fault) : `${describeFault(fault)}\n    ${fault.source}`;
}

type Drawn = { failures: string[]; drawn: SeenVariant[] };

/** Draws every variant as a request would. @returns what was measured, and a message for each one that fails */
async function drawVariants(template: Template, sources: SourceText[], sheet: ContactSheet): Promise<Drawn> {
  const { slug, variants } = template;
  const failures: string[] = [];
  const drawn: SeenVariant[] = [];
  for (const variant of Object.keys(variants)) {
    try {
      const { png, ...told } = await drawForNotices({ template, variant, sources });
      drawn.push(told);
      await sheet.add({ slug, variant, png });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failures.push(`${slug}/content.json: the variant "${variant}" cannot be rendered: ${error.message}`);
    }
  }
  return { failures, drawn };
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function summarize({ drawn, variants, faulty }: { drawn: number; variants: number; faulty: number }): string {
  const done = `Drew ${count(variants, "variant")} of ${count(drawn, "template")}.`;
  return faulty === 0
    ? done
    : `${done} ${count(faulty, "template")} with faults ${faulty === 1 ? "was" : "were"} not drawn.`;
}

/** Runs the check. @throws UsageError for wrong arguments */
export async function checkTemplates(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: "string", default: join(BUILD_DIR, "pictures") },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) throw new HelpRequest(USAGE);
  const { templates, faults } = await prepareRendering();
  const files = readTemplateFiles();
  const notices = await styleNotices(files);
  const failures = faults.map(describeWithSource);
  const sheet = new ContactSheet(values.out);
  for (const template of templates) {
    const sources = files.sourcesOf(template.slug);
    const { failures: failed, drawn } = await drawVariants(template, sources, sheet);
    failures.push(...failed);
    notices.push(...drawnNotices(template, sources, drawn));
  }
  failures.push(...withoutRepeated(notices).map(describeNotice));
  if (templates.length === 0 && faults.length === 0)
    failures.push("There is no template. SERVICE_TEMPLATES_DIR names their folder.");
  for (const failure of failures) console.error(failure);
  const variants = templates.reduce((sum, template) => sum + Object.keys(template.variants).length, 0);
  const file = await sheet.finish();
  console.log(summarize({ drawn: templates.length, variants, faulty: new Set(faults.map(({ slug }) => slug)).size }));
  if (file !== undefined) console.log(`The pictures and a contact sheet are in ${shownPath(resolve(values.out))}.`);
  if (failures.length > 0) process.exitCode = 1;
}
