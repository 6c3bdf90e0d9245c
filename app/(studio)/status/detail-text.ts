import type { StatusDetail } from "#lib/schemas/status-report.ts";

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

function withUnit(value: number, unit: string, maximumFractionDigits: number): string {
  // The short form of a byte has no plural.
  const unitDisplay = unit === "byte" ? "long" : "short";
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay, maximumFractionDigits }).format(value);
}

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** At most three digits: `143 MB`, `25.3 GB`. */
function bytes(value: number): string {
  if (value === 0) return "none";
  const firstFit = BYTE_UNITS.findIndex((_, power) => Math.round(value / 1000 ** power) < 1000);
  const power = firstFit === -1 ? BYTE_UNITS.length - 1 : firstFit;
  const scaled = value / 1000 ** power;
  return withUnit(scaled, BYTE_UNITS[power] ?? "byte", scaled < 100 && power > 0 ? 1 : 0);
}

const CLOCK = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
];

/** The two largest units: `2 hr, 5 min`. Below 10 seconds with a decimal. */
function seconds(value: number): string {
  if (Math.round(value) < 60) return withUnit(value, "second", value < 10 ? 1 : 0);
  let rest = Math.round(value);
  const first = CLOCK.findIndex((part) => rest >= part.seconds);
  const parts = CLOCK.slice(first, first + 2).map((part) => {
    const count = Math.floor(rest / part.seconds);
    rest -= count * part.seconds;
    return { ...part, count };
  });
  return parts
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => withUnit(count, unit, 0))
    .join(", ");
}

function milliseconds(value: number): string {
  if (Math.round(value) >= 1_000) return seconds(value / 1_000);
  return withUnit(value, "millisecond", value > 0 && value < 10 ? 1 : 0);
}

const UNITS = { bytes, seconds, milliseconds };

/** Formats a detail. Moments are left to `TimeAgo`, because they change while the page is open. */
export function detailText({ value, unit }: Pick<StatusDetail, "value" | "unit">): string {
  if (value === null) return "unknown";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  return unit === null || unit === "moment" ? NUMBER.format(value) : UNITS[unit](value);
}
