import { FAULT_KINDS, type FaultKind } from "#lib/proof/fault.ts";
import type { Verdict } from "#lib/proof/judge.ts";

/** Counts of a template, by kind of fault. */
type TemplateSummary = {
  template: string;
  pictures: number;
  faulty: number;
  kinds: Partial<Record<FaultKind, number>>;
};

export type Report = { pictures: number; faulty: number; templates: TemplateSummary[]; verdicts: Verdict[] };

function summarize(template: string, verdicts: Verdict[]): TemplateSummary {
  const kinds: TemplateSummary["kinds"] = {};
  for (const { faults } of verdicts)
    for (const kind of new Set(faults.map((fault) => fault.kind))) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const faulty = verdicts.filter(({ faults }) => faults.length > 0).length;
  return { template, pictures: verdicts.length, faulty, kinds };
}

/** Sums up verdicts: how many pictures there are, and how many have faults of each kind. */
export function reportOn(verdicts: Verdict[]): Report {
  const byTemplate = Map.groupBy(verdicts, ({ template }) => template);
  const templates = [...byTemplate].map(([template, own]) => summarize(template, own));
  const faulty = templates.reduce((sum, template) => sum + template.faulty, 0);
  return { pictures: verdicts.length, faulty, templates, verdicts };
}

/** The request of a verdict, as JSON. */
export function requestOf({ template, variant, data }: Verdict): string {
  return JSON.stringify({ template, variant, data });
}

/** How many faults a terminal lists. The page of the report has all of them. */
const LISTED_FAULTS = 20;

/** The first faults, a line each: where, and what is wrong. Empty without a fault. */
export function listFaults({ verdicts }: Report): string {
  const all = verdicts.flatMap(({ template, variant, content, faults }) =>
    faults.map(({ kind, field, message }) =>
      [`${template} ${variant}/${content}:`, kind, ...(field === "" ? [] : [field]), message].join(" "),
    ),
  );
  const lines = [...new Set(all)];
  const more = lines.length - LISTED_FAULTS;
  return [...lines.slice(0, LISTED_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function column(cells: string[]): string[] {
  const width = Math.max(...cells.map((cell) => cell.length));
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(width) : cell.padStart(width)));
}

/** A table for a terminal: a row for each template, and a column for each kind of fault that was found. */
export function tableOf({ templates, pictures, faulty }: Report): string {
  const kinds = (Object.keys(FAULT_KINDS) as FaultKind[]).filter((kind) =>
    templates.some((template) => template.kinds[kind]),
  );
  const total = (kind: FaultKind) => templates.reduce((sum, template) => sum + (template.kinds[kind] ?? 0), 0);
  const names = ["template", ...templates.map(({ template }) => template), "total"];
  const width = Math.max(...names.map((name) => name.length));
  const columns = [
    names.map((name) => name.padEnd(width)),
    column(["pictures", ...templates.map((template) => `${template.pictures}`), `${pictures}`]),
    column(["faulty", ...templates.map((template) => `${template.faulty}`), `${faulty}`]),
    ...kinds.map((kind) =>
      column([kind, ...templates.map((template) => `${template.kinds[kind] ?? 0}`), `${total(kind)}`]),
    ),
  ];
  return names.map((_, row) => columns.map((cells) => cells[row]).join("  ")).join("\n");
}
