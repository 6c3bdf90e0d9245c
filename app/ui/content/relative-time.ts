const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The shortest distance that a unit is used for, and its length, in seconds. */
const STEPS = [
  { from: YEAR, unit: "year", seconds: YEAR },
  { from: 30 * DAY, unit: "month", seconds: YEAR / 12 },
  { from: DAY, unit: "day", seconds: DAY },
  { from: HOUR, unit: "hour", seconds: HOUR },
  { from: MINUTE, unit: "minute", seconds: MINUTE },
] as const;

let words: Intl.RelativeTimeFormat | undefined;

/** Made when it is first used: it takes 13 ms in a browser, and most pages show no distance. */
function relativeTimeFormat(): Intl.RelativeTimeFormat {
  words ??= new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return words;
}

/** The distance of a moment from `now`, such as `3 hours ago`. Less than a minute is `just now`. */
export function relativeTime(moment: Date, now: Date): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  const step = STEPS.find(({ from }) => Math.abs(seconds) >= from);
  return step ? relativeTimeFormat().format(Math.trunc(seconds / step.seconds), step.unit) : "just now";
}

/** A moment in UTC, such as `2026-03-01 17:20:09 UTC`. */
export function exactTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
