import { allowsIndexing } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";
import type { ConfigFault } from "#lib/environment/config-error.ts";
import { count, detail, type Finding } from "./finding.ts";

/** What a variable wants. Its value is for the operator and the log only. */
function wanted({ message }: ConfigFault): string {
  return message.slice(Math.max(0, message.lastIndexOf("want ")));
}

/** Whether every variable of the environment can be used. */
export function lookAtConfiguration(): Finding {
  const { fatal, render, access, open, unknown } = configReport();
  const wrong = [...fatal, ...render, ...access];
  const details = [
    ...wrong.map((fault) => detail(fault.variable, wanted(fault))),
    ...[...open, ...unknown].map(({ variable, message }) => detail(variable, message)),
    detail("Search engines may index pages", allowsIndexing()),
  ];
  const names = (faults: ConfigFault[]) => [...new Set(faults.map(({ variable }) => variable))].join(", ");
  if (wrong.length > 0) {
    const summary = `${count(wrong.length, "variable")} cannot be used.`;
    return { state: "error", summary, remedy: `Correct ${names(wrong)}, and start again.`, details };
  }
  if (open.length > 0) {
    const remedy = "Set SERVICE_AUTH_ENABLED to true for accounts, or remove it for open mode, and start again.";
    return { state: "warning", summary: "OPEN MODE: everyone who can reach this server may render.", remedy, details };
  }
  if (unknown.length > 0) {
    const summary = `${count(unknown.length, "variable")} of an unknown name ${unknown.length === 1 ? "is" : "are"} ignored.`;
    return { state: "warning", summary, remedy: `Rename or remove ${names(unknown)}.`, details };
  }
  return { state: "ok", summary: "Every variable can be used.", details };
}
