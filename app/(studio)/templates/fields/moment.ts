/** A moment as inputs hold it: a local time, and an offset or a zone where it has one. */
export type Moment = { local: string; zone: string };

const PARTS = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?)(?::\d{2})?(Z|[+-][^[]*)?(?:\[(.*)\])?$/;

/**
 * Parts `2026-05-01T19:30+02:00[Europe/Berlin]`. A named zone counts instead of its offset, which another time may not have. A
 * zone that is misspelt stays as it is, for the reader to correct. A text that is no date has no local time.
 */
export function splitMoment(text: string): Moment {
  const [, local = "", offset = "", zone = offset] = PARTS.exec(text) ?? [];
  return { local, zone };
}

/** Writes what {@link splitMoment} reads. Without a time there is no moment, so the text is empty. */
export function joinMoment({ local, zone }: Moment): string {
  if (local === "" || zone === "") return local;
  return /^(?:Z$|[+-])/.test(zone) ? local + zone : `${local}[${zone}]`;
}
