import { z } from "zod";
import { AppError, type ErrorCode, type Issue } from "#lib/errors.ts";
import type { RenderOptions } from "#lib/render/queue/render-task.ts";
import { examineTemplate } from "#lib/render/render-template.ts";
import type { FieldValues } from "#lib/templates/template.ts";
import { type Fault, fault } from "./fault.ts";
import type { Cell } from "./grid/grid.ts";
import { findFaults, shownTexts } from "./oracle/find-faults.ts";
import { type Captures, examinePage, readCaptures } from "./page/examine.ts";

export const verdict = z.object({
  template: z.string(),
  variant: z.string(),
  content: z.string(),
  /** The edits of the request; a name stands for the bytes of an image. */
  data: z.record(z.string(), z.unknown()),
  /** Codes of the warnings, with their fields. */
  warnings: z.array(z.string()),
  /** Why there is no picture. */
  refusal: z.string().optional(),
  faults: z.array(fault),
});

/** What the oracle found in one picture of the grid. */
export type Verdict = z.infer<typeof verdict>;

export type Judged = { verdict: Verdict; png?: Buffer };

/** The edits of a request in a form that can be read: the bytes of images are left out. */
function readable(data: FieldValues, content: string): FieldValues {
  const short = (_: string, value: unknown) =>
    typeof value === "string" && value.startsWith("data:") ? `data:image/png;base64,… (${content})` : value;
  return JSON.parse(JSON.stringify(data, short)) as FieldValues;
}

function cutFaults({ mayNotFit }: Cell, warnings: Issue[]): Fault[] {
  if (mayNotFit) return [];
  return warnings
    .filter(({ code }) => code === "text_cut")
    .map(({ path, message }) => ({ kind: "cut", field: path.slice("/data/".length), message }));
}

function refused(cell: Cell, error: AppError): Fault[] {
  if (cell.mayNotFit && error.code === "invalid_data") return [];
  const [first] = error.issues;
  return [
    { kind: "refused", field: first?.path.slice("/data/".length) ?? "", message: first?.message ?? error.message },
  ];
}

/** Errors that concern one picture. The others of the grid are drawn all the same. */
const REFUSALS: readonly ErrorCode[] = ["invalid_data", "image_rejected"];
const FAILURES: readonly ErrorCode[] = ["render_timeout", "render_failed"];

/** Draws a picture of the grid as a request would, and looks for every fault. @throws AppError when none can be drawn now */
export async function judge(cell: Cell, options: RenderOptions): Promise<Judged> {
  const { template: slug, variant, content, region, keepsWords } = cell;
  const about = { template: slug, variant, content, data: readable(cell.data, content) };
  try {
    const drawn = await examineTemplate(
      { template: slug, variant, data: cell.data },
      // The oracle and the report want its pixels alone.
      { ...options, examine: examinePage, effort: "fast" },
    );
    const page = await readCaptures(drawn.png, drawn.examined as Captures);
    const texts = shownTexts(drawn.template, drawn.values, drawn.warnings);
    const wanted = { texts, region, keepsWords, glyphs: drawn.template.glyphs };
    const faults = [...cutFaults(cell, drawn.warnings), ...(await findFaults(page, wanted))];
    const warnings = drawn.warnings.map(({ code, path }) => `${code} ${path}`);
    return { verdict: { ...about, warnings, faults }, png: drawn.png };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (FAILURES.includes(error.code)) {
      const faults: Fault[] = [{ kind: "not-drawn", field: "", message: error.message }];
      return { verdict: { ...about, warnings: [], refusal: error.message, faults } };
    }
    if (!REFUSALS.includes(error.code)) throw error;
    const refusal = [error.message, ...error.issues.map(({ path, message }) => `${path} ${message}`)].join(" ");
    return { verdict: { ...about, warnings: [], refusal, faults: refused(cell, error) } };
  }
}
