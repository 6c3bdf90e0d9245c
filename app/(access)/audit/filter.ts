/** What part of the audit trail a page shows; an empty text for no choice. */
export type Filter = {
  action: string;
  /** The id of a user, or what was typed to find one. */
  user: string;
  /** The page begins below this entry … */
  before: string;
  /** … or ends above this one. */
  after: string;
};

/** The address of that part. */
export function auditHref(filter: Partial<Filter>): string {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  return given.length > 0 ? `/audit?${new URLSearchParams(given)}` : "/audit";
}
