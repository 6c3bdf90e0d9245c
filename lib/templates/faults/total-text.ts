import type { Issue } from "#lib/errors.ts";
import { leavesOf } from "../lists/leaf-fields.ts";
import type { Template } from "../template.ts";

/**
 * The most characters that the texts of a request may have together, in units of UTF-16. To draw so many in a hundred scripts takes two
 * seconds of a browser. A list of a hundred items could have millions, which no picture has room for.
 */
const MAX_CHARACTERS = 50_000;

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  // A code.
  return typeof value === "object" && value !== null && "text" in value ? lengthOf(value.text) : 0;
}

const isText = (type: string) => type === "text" || type === "emphasis" || type === "code";

/** The fault of texts that are too long together. @param path JSON Pointer of the object that holds `values` */
export function totalTextFaults(
  { fields, values }: Pick<Template, "fields"> & { values: Record<string, unknown> },
  path: string,
): Issue[] {
  const texts = leavesOf(fields, values).filter(({ declaration }) => isText(declaration.type));
  const characters = texts.reduce((sum, { value }) => sum + lengthOf(value), 0);
  if (characters <= MAX_CHARACTERS) return [];
  const [got, limit] = [characters, MAX_CHARACTERS].map((count) => count.toLocaleString("en"));
  const message = `Got ${got} characters in all texts together, want at most ${limit}. Send shorter texts or fewer items.`;
  return [{ path, code: "too_long", message }];
}
