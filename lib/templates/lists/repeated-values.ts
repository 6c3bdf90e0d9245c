import type { Issue } from "#lib/errors.ts";
import { isObject } from "#lib/json-kinds.ts";
import type { FieldValues, Template } from "../template.ts";
import { leafPointer, leavesOf } from "./leaf-fields.ts";

/**
 * Characters that values may add to a document where it shows them again, as a logo in each item of a list. Each costs 10 to 25 ns of the
 * server's own thread and 10 bytes of its memory: a photograph of 1 MB in a hundred items took 2.8 s and 0.7 GB. The largest images of a
 * request can still be shown three times.
 */
export const REPEATED_CHARS = 30_000_000;

/** Thrown for a document that shows values, or files of its template, again and again. */
export class DocumentTooLong extends Error {
  override name = "DocumentTooLong";
  /** The value with which it became too long. Undefined where a file of the template did. */
  readonly value: string | undefined;

  constructor(value?: string) {
    const limit = REPEATED_CHARS.toLocaleString("en");
    super(
      `Got images and texts again and again, want at most ${limit} characters of them: smaller images, or fewer items`,
    );
    this.value = value;
  }
}

/** Counts the characters of the values of one document that it shows a second time and more. */
export class RepeatedValues {
  readonly #seen = new Set<string>();
  #chars = 0;

  /** @throws DocumentTooLong */
  add(value: string): void {
    if (!this.#seen.has(value)) {
      this.#seen.add(value);
      return;
    }
    this.#chars += value.length;
    if (this.#chars > REPEATED_CHARS) throw new DocumentTooLong(value);
  }
}

type Request = {
  template: Template;
  values: FieldValues;
  /** What was sent. */
  data: FieldValues;
};

/** Says what of a request to make smaller: the value that is shown too often if it was sent, otherwise its longest list. */
export function tooLongIssue({ value }: DocumentTooLong, { template, values, data }: Request): Issue {
  const isShown = (other: unknown) => value !== undefined && (isObject(other) ? other.src : other) === value;
  const leaf = leavesOf(template.fields, values).find(
    (other) => isShown(other.value) && Object.hasOwn(data, leafPointer(other.id).split("/")[2] ?? ""),
  );
  const why = `so often that the document would repeat more than ${REPEATED_CHARS.toLocaleString("en")} characters.`;
  if (leaf) {
    const code = leaf.declaration.type === "image" ? "image_rejected" : "too_long";
    return { path: leafPointer(leaf.id), code, message: `Shown ${why} Send something smaller, or fewer items.` };
  }
  const lists = Object.entries(data).flatMap(([name, items]) =>
    Array.isArray(items) ? [{ name, count: items.length }] : [],
  );
  const [longest] = lists.toSorted((a, b) => b.count - a.count);
  if (longest) {
    const message = `The template shows images or texts of its own ${why} Send fewer items.`;
    return { path: `/data/${longest.name}`, code: "too_many", message };
  }
  return { path: "/data", code: "too_long", message: `The template shows images or texts ${why} Send smaller values.` };
}
