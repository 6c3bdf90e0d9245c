import { readAuditTrail } from "#lib/access/audit-trail.ts";
import { UsageError } from "../run-command.ts";
import { type Command, type Options, toJson } from "./command.ts";
import { exportEvents, readExport } from "./export.ts";
import { printable, table } from "./table.ts";
import { readHash, verify } from "./verify.ts";

const EVENTS = 50;
const EVENTS_MAX = 100_000;

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? EVENTS : /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > EVENTS_MAX)
    throw new UsageError(`Got --limit ${printable(text ?? "")}, want a number from 1 to ${EVENTS_MAX}.`);
  return limit;
}

const EXPORT_OPTIONS = ["action", "user", "since", "until"] as const;

/** @throws UsageError for options that do not go together */
function requireFitting(options: Options): void {
  const filter = EXPORT_OPTIONS.find((option) => options[option] !== undefined);
  if (filter !== undefined && options.format === undefined) throw new UsageError(`--${filter} needs --format.`);
  const other = (["limit", "json", "verify"] as const).find((option) => options[option] !== undefined);
  if (options.format !== undefined && other !== undefined)
    throw new UsageError(`--format exports all events that match: leave --${other} out.`);
  if (options.verify && options.limit !== undefined)
    throw new UsageError("--verify reads the whole trail: leave --limit out.");
  if (options.expect !== undefined && !options.verify) throw new UsageError("--expect needs --verify.");
}

export const audit: Command = {
  words: [],
  options: ["limit", "json", "verify", "expect", "format", ...EXPORT_OPTIONS],
  async prepare({ options, terminal }) {
    requireFitting(options);
    if (options.format !== undefined) {
      const wanted = readExport(options);
      return () => exportEvents(wanted, terminal);
    }
    const expected = readHash(options.expect);
    if (options.verify) return () => verify({ expected, isJson: options.json === true });
    const limit = readLimit(options.limit);
    return async () => {
      const { entries } = await readAuditTrail({ limit });
      if (options.json) return toJson(entries);
      if (entries.length === 0) return "There are no audit events yet.";
      const rows = entries.map(({ at, action, actor, subject, detail, address }) => [
        at.toISOString().slice(0, 19).replace("T", " "),
        action,
        actor?.email ?? (actor?.kind === "operator" ? "operator" : "-"),
        subject?.name ?? "-",
        Object.entries(detail ?? {})
          .map(([key, value]) => `${key}=${value}`)
          .join(" "),
        address ?? "-",
      ]);
      return table(["TIME (UTC)", "ACTION", "ACTOR", "SUBJECT", "DETAIL", "ADDRESS"], rows);
    };
  },
};
