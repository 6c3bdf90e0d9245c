import { performance } from "node:perf_hooks";
import { shutDown, warmUp } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import type { Template } from "#lib/templates/template.ts";
import { prepareRendering } from "../prepare.ts";
import { median } from "./load.ts";

/** Renders before the measurement, which fill caches and compile code. */
const WARM_UP_RENDERS = 3;

type Row = { template: string; "renders/s": number; "median ms": number; "slowest ms": number; kB: number } & Record<
  string,
  number | string
>;

/** An edit that no other render has, so that no picture is answered from memory. */
function uniqueEdit({ fields }: Template, run: number): Record<string, unknown> {
  const color = Object.keys(fields).find((name) => fields[name]?.type === "color");
  return color ? { [color]: `#${(0x10_00_00 + run * 7_919).toString(16).slice(-6).padStart(6, "0")}` } : {};
}

async function benchTemplate(template: Template, runs: number): Promise<Row> {
  const elapsed: number[] = [];
  const stages: Record<string, number[]> = {};
  let bytes = 0;
  for (let run = -WARM_UP_RENDERS; run < runs; run++) {
    const startedAt = performance.now();
    const { png, timings } = await renderTemplate({
      template: template.slug,
      data: uniqueEdit(template, run + WARM_UP_RENDERS),
    });
    if (run < 0) continue;
    elapsed.push(performance.now() - startedAt);
    bytes = png.length;
    for (const [stage, ms] of Object.entries(timings)) stages[stage] = [...(stages[stage] ?? []), ms];
  }
  const total = elapsed.reduce((sum, ms) => sum + ms, 0);
  const rounded = Object.fromEntries(
    Object.entries(stages).map(([stage, ms]) => [`${stage} ms`, Number(median(ms).toFixed(1))]),
  );
  return {
    template: `${template.slug} ${template.width}×${template.height}`,
    "renders/s": Number(((1_000 * runs) / total).toFixed(1)),
    "median ms": Number(median(elapsed).toFixed(1)),
    "slowest ms": Number(Math.max(...elapsed).toFixed(1)),
    kB: Math.round(bytes / 1_000),
    ...rounded,
  };
}

/** Prints how fast each shipped template is drawn, by stage. */
export async function benchTemplates(runs: number): Promise<void> {
  const { templates } = await prepareRendering();
  const startedAt = performance.now();
  try {
    await warmUp();
    const coldMs = Math.round(performance.now() - startedAt);
    const rows: Row[] = [];
    for (const template of templates) rows.push(await benchTemplate(template, runs));
    console.log(
      `Browser started and first picture drawn in ${coldMs} ms. One caller, one worker, every picture different:`,
    );
    console.table(rows);
  } finally {
    await shutDown();
  }
}
