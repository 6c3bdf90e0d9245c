import type { StatusCheck, StatusDetail } from "#lib/schemas/status-report.ts";

/** What a look at one part gives; what is well needs no remedy. */
export type Finding = { summary: string; details?: StatusDetail[] } & (
  | { state: "ok" }
  | { state: "warning" | "error"; remedy: string }
);

type Named = Pick<StatusCheck, "id" | "title">;

/** A row of the report. */
export function checkOf({ id, title }: Named, finding: Finding): StatusCheck {
  const { state, summary, details = [] } = finding;
  return { id, title, state, summary, remedy: finding.state === "ok" ? null : finding.remedy, details };
}

type Unit = NonNullable<StatusDetail["unit"]>;

/** A fact with its unit, where it has one. */
export function detail(label: string, value: StatusDetail["value"] | Date, unit?: Unit): StatusDetail {
  return { group: null, label, value: value instanceof Date ? value.toISOString() : value, unit: unit ?? null };
}

/** The same facts of one of several. */
export function grouped(group: string, details: StatusDetail[]): StatusDetail[] {
  return details.map((one) => ({ ...one, group }));
}

/** `1 browser`, `2 browsers`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
