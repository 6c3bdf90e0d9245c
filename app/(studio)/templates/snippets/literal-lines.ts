import type { ImageFile, SnippetRequest, SnippetValue } from "./snippet.ts";
import { isImageFile } from "./snippet.ts";

/** How a language writes the object that is sent. */
export type Notation = {
  /** The beginning of an entry, such as `"title": `. */
  key: (name: string) => string;
  /** What opens and closes the object within. */
  braces: [open: string, close: string];
  string: (text: string) => string;
  /** The expression that makes an image's `data:` URL. */
  image: (image: ImageFile) => string;
  /** `true` and `false`, where they are written otherwise. */
  boolean?: (value: boolean) => string;
  indent: string;
  /** What ends the last entry of an object. */
  lastComma: "," | "";
};

function expression(value: SnippetValue, { string, image, boolean = String }: Notation): string {
  if (isImageFile(value)) return image(value);
  if (typeof value === "string") return string(value);
  return typeof value === "boolean" ? boolean(value) : String(value);
}

/** The entries of the body that a request sends, a line each, without the braces around them. */
export function bodyLines({ template, variant, data }: SnippetRequest, notation: Notation): string[] {
  const { key, braces, indent, lastComma } = notation;
  const entries: [string, SnippetValue][] = [["template", template]];
  if (variant !== undefined) entries.push(["variant", variant]);
  const plain = entries.map(([name, value]) => `${key(name)}${expression(value, notation)}`);
  const fields = Object.entries(data).map(([name, value]) => `${indent}${key(name)}${expression(value, notation)}`);
  // PHP would send an empty object as an array.
  const nested =
    fields.length === 0 ? [] : [`${key("data")}${braces[0]}\n${fields.join(",\n")}${lastComma}\n${braces[1]}`];
  return `${[...plain, ...nested].join(",\n")}${lastComma}`.split("\n");
}
