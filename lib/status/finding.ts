import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { StatusCheck, StatusDetail } from "#lib/schemas/status-report.ts";

/** The result of one check. Only a state other than `ok` has a remedy. */
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

/** Facts about one of several things of the same kind, such as `Browser 2`. */
export function grouped(group: string, details: StatusDetail[]): StatusDetail[] {
  return details.map((one) => ({ ...one, group }));
}

/** The finding of a check that threw. The other checks are reported as usual. */
export function failedFinding(error: unknown): Finding {
  if (error instanceof AppError && error.code === "misconfigured") {
    const remedy = "Set the variable that is named here or under Configuration, and start again.";
    return { state: "error", summary: error.message, remedy };
  }
  if (error instanceof AppError && error.code !== "internal") {
    const remedy = "Follow the message. The server's log may say more.";
    return { state: "error", summary: error.message, remedy };
  }
  if (error instanceof ConfigError) {
    const remedy = "Correct the variables that are named under Configuration, and start again.";
    return { state: "error", summary: "This depends on variables that cannot be used.", remedy };
  }
  log().error({ err: error }, "A check of the status failed unexpectedly.");
  return { state: "error", summary: "This could not be checked.", remedy: "The server's log says why." };
}

/** `1 browser`, `2 browsers`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
