import type { Issue } from "#lib/errors.ts";
import type { RunContrast } from "#lib/type/contrast/low-contrast.ts";
import { containedTexts } from "#lib/type/text/contained-texts.ts";
import { leafPointer, leavesOf } from "./lists/leaf-fields.ts";
import type { FieldValues, Template } from "./template.ts";

/** Characters of a text that a warning quotes. */
const QUOTED_CHARS = 30;

/** A shorter output may be in another text by chance. */
const MIN_SEARCH_CHARS = 3;

type Found = {
  template: Template;
  values: FieldValues;
  /** The texts that the outputs of the document show. */
  shown: Set<string>;
  contrasts: RunContrast[];
};

/**
 * The texts that are fitted ones, or contain what the template outputs. Its own words are its author's affair.
 * @param shown the texts that the outputs of the document show
 */
export function withContent<Run extends Pick<RunContrast, "field" | "text">>(runs: Run[], shown: Set<string>): Run[] {
  const contained = containedTexts([...shown].filter(({ length }) => length >= MIN_SEARCH_CHARS));
  return runs.filter(({ field, text }) => {
    const whole = text.trim();
    return field !== "" || shown.has(whole) || contained(whole) !== undefined;
  });
}

/** Finds the field whose value a text without `data-fit` shows, as far as it stands there unchanged. */
function fieldFinder({ template, values }: Found): (text: string) => string | undefined {
  // Once for all texts: a list may have a thousand.
  const texts = leavesOf(template.fields, values).flatMap(({ id, value }) =>
    typeof value === "string" && value !== "" ? [{ id, value }] : [],
  );
  const searched = texts.filter(({ value }) => value.length >= MIN_SEARCH_CHARS);
  const contained = containedTexts(searched.map(({ value }) => value));
  const equal = new Map(texts.toReversed().map(({ id, value }) => [value, id]));
  return (text) => {
    const whole = text.trim();
    return equal.get(whole) ?? searched[contained(whole) ?? -1]?.id;
  };
}

/** A ratio as WCAG writes it, rounded down so that it never looks better than it is. */
function formatRatio(ratio: number): string {
  return `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
}

/** The warning about the runs that show one field, if any of them is hard to read. */
function contrastWarning(runs: RunContrast[], field: string | undefined): Issue[] {
  const [worst] = runs.filter(({ isLow }) => isLow).toSorted((a, b) => a.ratio / a.want - b.ratio / b.want);
  if (!worst) return [];
  const area = runs.reduce((sum, run) => sum + run.area, 0);
  const share = runs.reduce((sum, run) => sum + run.share * run.area, 0) / area;
  const part = share > 0.99 ? "the text" : `${Math.max(1, Math.round(share * 100))} % of the text`;
  const quoted = field === undefined ? `"${worst.text.trim().slice(0, QUOTED_CHARS)}" is hard` : "Hard";
  const message = `${quoted} to read: ${formatRatio(worst.ratio)} behind ${part}; want ${worst.want}:1.`;
  return [{ path: field === undefined ? "/data" : leafPointer(field), code: "low_contrast", message }];
}

/** The warnings about texts that are hard to read: at most one for each field. */
export function contrastWarnings(found: Found): Issue[] {
  const texts = withContent(found.contrasts, found.shown);
  const fieldOf = fieldFinder(found);
  const byField = Map.groupBy(texts, ({ field, text }) => field || fieldOf(text));
  return [...byField].flatMap(([field, runs]) => contrastWarning(runs, field));
}
