import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BUILD_DIR } from "#lib/config.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { listFaults, tableOf } from "#lib/proof/report/summary.ts";
import { ProofFolder } from "#lib/proof/report/write-report.ts";
import { runProof } from "#lib/proof/run.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import { describeFault } from "#lib/templates/build-registry.ts";
import type { Registry, Template } from "#lib/templates/template.ts";
import { prepareRendering } from "#scripts/prepare.ts";
import { HelpRequest, UsageError } from "#scripts/run-command.ts";
import { shownPath } from "#scripts/shown-path.ts";

const USAGE = `Draws every variant of templates with difficult contents, and looks for faults in the pictures.

  npm run templates -- proof [template …] [--reduced] [--only <text>] [--out <folder>] [--json]

  --reduced        each kind of content with one or two templates only, one variant each
  --only <text>    only pictures whose "variant/content" contains this text
  --out <folder>   where the report goes: index.html, proof.json, contact sheets of each template; without it, .platen/proof
  --json           prints the report as JSON instead of the table

Exits with 1 when a picture has a fault.`;

/** Pictures beyond one for each browser, so that no browser waits for the oracle. */
const AHEAD = 2;

/** Progress is shown this often on a terminal, and less often in a log. */
const TERMINAL_STEP = 1;
const LOG_STEP = 50;

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      reduced: { type: "boolean", default: false },
      only: { type: "string" },
      out: { type: "string", default: join(BUILD_DIR, "proof") },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) throw new HelpRequest(USAGE);
  return { ...values, slugs: positionals };
}

function choose({ templates }: Registry, slugs: string[]): Template[] {
  const known = templates.map(({ slug }) => slug);
  for (const slug of slugs) {
    if (known.includes(slug)) continue;
    const nearest = nearestName(slug, known);
    throw new UsageError(
      `Got "${slug}", want one of ${known.join(", ")}.${nearest ? ` Did you mean "${nearest}"?` : ""}`,
    );
  }
  return slugs.length === 0 ? templates : templates.filter(({ slug }) => slugs.includes(slug));
}

function showProgress({ done, of }: { done: number; of: number }, faulty: number): void {
  const { isTTY } = process.stderr;
  if (done % (isTTY ? TERMINAL_STEP : LOG_STEP) !== 0 && done !== of) return;
  const line = `${done} of ${of} pictures, ${faulty} with faults`;
  process.stderr.write(isTTY ? `\r${line}${done === of ? "\n" : ""}` : `${line}\n`);
}

/** Runs the proof. @throws UsageError for wrong arguments, and where they choose no picture: nothing would be proved */
export async function proveTemplates(args: string[]): Promise<void> {
  const { slugs, reduced: isReduced, only, out, json } = readArguments(args);
  const registry = await prepareRendering();
  for (const fault of registry.faults) console.error(describeFault(fault));
  const templates = choose(registry, slugs);
  const folder = new ProofFolder(out);
  let faulty = 0;
  const verdicts = await runProof(templates, {
    concurrency: requireRenderConfig().workers + AHEAD,
    isReduced,
    only,
    onJudged: async (judged, progress) => {
      if (judged.verdict.faults.length > 0) faulty++;
      await folder.add(judged);
      showProgress(progress, faulty);
    },
  });
  if (verdicts.length === 0 && registry.faults.length === 0)
    throw new UsageError(
      templates.length === 0
        ? "There is no template. SERVICE_TEMPLATES_DIR names their folder."
        : `Got --only "${only}", which no picture has in its "variant/content". The list of all is in proof.json after a run without it.`,
    );
  const report = await folder.finish(verdicts);
  const summary = [tableOf(report), listFaults(report), `The pictures are in ${shownPath(resolve(out))}.`];
  console.log(json ? JSON.stringify(report, null, 2) : summary.filter((part) => part !== "").join("\n\n"));
  if (report.faulty > 0 || registry.faults.length > 0) process.exitCode = 1;
}
