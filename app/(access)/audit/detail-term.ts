/** What is no value that the act has set. */
const TERMS = new Map([["sessions", "Sessions ended"]]);

/** What a fact is called that the trail keeps of an act. */
export function detailTerm(key: string): string {
  return TERMS.get(key) ?? `Set ${key}`;
}
