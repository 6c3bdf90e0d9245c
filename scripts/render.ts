import { join } from "node:path";
import { parseArgs } from "node:util";
import { AppError, type Issue } from "#lib/errors.ts";
import { explainPicture } from "#lib/proof/explain.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { RenderRequest } from "#lib/schemas/render.ts";
import { describeFault } from "#lib/templates/build-registry.ts";
import { prepareRendering } from "./prepare.ts";
import { describeCounts } from "./render/each/progress.ts";
import { renderEach } from "./render/each/render-each.ts";
import { describeExplanation } from "./render/explanation.ts";
import { readData } from "./render/read-data.ts";
import { writeNamed } from "./render/write-file.ts";
import { HelpRequest, reasonOf, runCommand, UsageError } from "./run-command.ts";
import { stopCommandOnSignal } from "./start/stop-signal.ts";

const USAGE = `Renders a template to a PNG, without a server.

  npm run render -- <template> [--variant <name>] [--data <json>] [--strict] [--explain] [-o <file>]

  --variant <name>   a variant of the template; without it, the default variant
  --data <json>      edits as JSON; @edits.json reads a file, - reads standard input
  --strict           fails instead of warning; without it, warnings go to standard error
  --explain          prints for each text its size, lines, faces, contrast, and why
  --each <table>     a picture for each row of a CSV file or of JSON lines (.jsonl), whose columns are fields or "variant";
                     rows whose picture is there are left out, and rows with a fault are in faults.jsonl
  -o, --output       the PNG file; without it, <template>.png; - is standard output (with npm run --silent);
                     with --each a pattern such as 'badges/{name}.png'; without it, <template>/{row}.png`;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      variant: { type: "string" },
      data: { type: "string" },
      strict: { type: "boolean", default: false },
      explain: { type: "boolean", default: false },
      each: { type: "string" },
      output: { type: "string", short: "o" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [template, ...rest] = positionals;
  if (values.help) throw new HelpRequest(USAGE);
  if (template === undefined || rest.length > 0) throw new UsageError(USAGE);
  return { template, ...values };
}

async function main(): Promise<void> {
  const { template, variant, data, each, output, ...flags } = readArguments();
  const request = RenderRequest.safeParse({ template, variant, data: readData(data) });
  if (!request.success)
    throw new UsageError(request.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  for (const fault of (await prepareRendering()).faults) console.error(describeFault(fault));
  const name = template.replaceAll("/", "-");
  if (each === undefined) await renderOne(request.data, { output: output ?? `${name}.png`, ...flags });
  else
    await renderRows(request.data, { tableFile: each, pattern: output ?? `${name}/{row}.png`, isStrict: flags.strict });
}

type OneOptions = { output: string; strict: boolean; explain: boolean };

async function renderOne(request: RenderRequest, { output, ...flags }: OneOptions): Promise<void> {
  const { png, warnings } = await renderTemplate(request, { isStrict: flags.strict });
  if (flags.explain) await explain(request, output === "-");
  for (const warning of warnings) console.error(`Warning: ${describeIssue(warning)}`);
  if (output === "-") process.stdout.write(png);
  else {
    await writeNamed(output, png);
    console.error(`Wrote ${output}, ${png.length.toLocaleString("en")} bytes`);
  }
}

type RowsOptions = { tableFile: string; pattern: string; isStrict: boolean };

async function renderRows({ template, variant, data = {} }: RenderRequest, options: RowsOptions): Promise<void> {
  const stop = new AbortController();
  // The pictures that are there stay, so the same command goes on where this one stopped.
  stopCommandOnSignal(() => stop.abort(new DOMException("\nStopped. The same command draws the rest.", "AbortError")));
  const result = await renderEach({ slug: template, variant, data, ...options, signal: stop.signal });
  const { of, seconds, warned, failed, folder } = result;
  console.error(`${of.toLocaleString("en")} rows: ${describeCounts(result)}, in ${seconds.toFixed(1)} s.`);
  if (warned > 0) console.error(`Warnings of ${warned} rows are in ${join(folder, "warnings.jsonl")}.`);
  if (failed > 0) console.error(`Faults of ${failed} rows are in ${join(folder, "faults.jsonl")}.`);
  if (failed > 0) process.exitCode = 1;
}

/** Writes to standard error where standard output is the picture. */
async function explain(request: RenderRequest, toStandardError: boolean): Promise<void> {
  const text = describeExplanation((await explainPicture(request)).explanation);
  (toStandardError ? process.stderr : process.stdout).write(`${text}\n`);
}

function describeIssue({ path, code, message }: Issue): string {
  return `${path} ${code}: ${message}`;
}

function withIssues(error: unknown): string {
  const issues = error instanceof AppError ? error.issues : [];
  return [reasonOf(error), ...issues.map((issue) => `  ${describeIssue(issue)}`)].join("\n");
}

try {
  await runCommand(main, withIssues);
} finally {
  await shutDown();
}
