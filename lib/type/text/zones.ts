import { keepFormats } from "./locales.ts";

/** A moment as RFC 9557 writes it: a local time, its offset, and the zone in which it is shown. */
const ZONED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::00)?(Z|[+-]\d{2}:\d{2})?(?:\[([\w+/-]+)\])?$/;

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

const offsetFormat = keepFormats(
  (locale, timeZone: string) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "longOffset" }),
);

/** Whether a name is one of a time zone, such as `Europe/Berlin` or `UTC`. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    offsetFormat("en", name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** By how much a zone is ahead of UTC at an instant, in milliseconds. Before zones had whole minutes, it has seconds. */
function offsetMs(zone: string, instantMs: number): number {
  const name = offsetFormat("en", zone)
    .formatToParts(instantMs)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours = "0", minutes = "0", seconds = "0"] =
    /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name ?? "") ?? [];
  const aheadMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return sign === "-" ? -aheadMs : aheadMs;
}

/** An offset as ISO 8601 writes it. */
function writeOffset(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const two = (part: number) => String(Math.floor(part)).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** The instants at which the clocks of a zone show a local time: two where they were set back, and none where set forward. */
function instantsOf(localMs: number, zone: string): number[] {
  const guesses = [localMs - offsetMs(zone, localMs - 864e5), localMs - offsetMs(zone, localMs + 864e5)];
  return [...new Set(guesses)]
    .filter((instant) => instant + offsetMs(zone, instant) === localMs)
    .toSorted((a, b) => a - b);
}

/** A moment with the zone in which it is shown. */
type ZonedTime = { instantMs: number; zone: string };

/** Writes a moment with its local time, its offset and its zone. An offset has no seconds, so the time has them instead. */
export function writeZoned({ instantMs, zone }: ZonedTime): string {
  const offset = Math.trunc(offsetMs(zone, instantMs) / MINUTE_MS) * MINUTE_MS;
  return `${new Date(instantMs + offset).toISOString().slice(0, 19)}${writeOffset(offset)}[${zone}]`;
}

/**
 * Reads a moment: `2026-05-01T19:30` is local to the zone, an offset or `Z` after it says which instant is meant, and a zone
 * in brackets is the one that it is shown in.
 * @param zone the zone where the text names none
 * @returns the reason, as what was got and what is wanted, where it is none
 */
export function readZoned(text: string, zone: string): ZonedTime | { wrong: string } {
  const [, local, offset, named = zone] = ZONED.exec(text) ?? [];
  const localMs = Date.parse(`${local}:00Z`);
  if (local === undefined || Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(local))
    return {
      wrong: 'want a date and time such as "2026-05-01T19:30", "2026-05-01T17:30Z" or "2026-05-01T19:30+02:00"',
    };
  if (!isZone(named)) return { wrong: `want a time zone such as [Europe/Berlin], not [${named}]` };
  if (offset === "Z") return { instantMs: localMs, zone: named };
  const instants = instantsOf(localMs, named);
  if (offset === undefined) {
    const [first] = instants;
    if (first !== undefined) return { instantMs: first, zone: named };
    return { wrong: `want a time that exists: the clocks of ${named} were set forward past this one` };
  }
  const instantMs = Date.parse(`${local}:00${offset}`);
  if (Number.isNaN(instantMs)) return { wrong: `want an offset from -23:59 to +23:59, not ${offset}` };
  // Brackets after an offset state both, so they must agree.
  if (!/\[/.test(text)) return { instantMs, zone: named };
  // The offset of a zone may have seconds, which cannot be stated.
  const meant = instants.find((instant) => Math.abs(instant - instantMs) < MINUTE_MS);
  if (meant !== undefined) return { instantMs: meant, zone: named };
  return { wrong: `want the offset that ${named} has then, or none, instead of ${offset}` };
}
