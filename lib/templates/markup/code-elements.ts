import type { HtmlElement } from "../document-tree.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";

/** How a template shows the code of a field, by the field's type. Only on such an `<img>` the code is measured. */
const CODES: Partial<Record<FieldDeclaration["type"], { kind: string; mark: string; src: (name: string) => string }>> =
  {
    qr: { kind: "QR code", mark: "data-qr", src: (name) => name },
    barcode: { kind: "barcode", mark: "data-barcode", src: (name) => `${name}.src` },
  };

/** The names that the markup has for fields. */
export type Names = {
  /** The declarations by name. That of a list's items is `rows.code`. */
  fields: Record<string, FieldDeclaration>;
  /** An output with these names: `{{ rows.code }}` for `{{ row.code }}` in a loop over `rows`. */
  written: (output: string) => string;
};

function attributeOf(element: HtmlElement, wanted: string): string {
  return element.attrs.find(({ name }) => name === wanted)?.value ?? "";
}

/** The attribute that marks the element of a code, and what the field is, for a message. */
export function codeMark(name: string, { type }: FieldDeclaration): { mark: string; because: string } | undefined {
  const code = CODES[type];
  return code && { mark: `${code.mark}="${name}"`, because: `is a ${code.kind}` };
}

/** The field whose code an address attribute holds: that of `{{ entry }}` or `{{ pass.src }}`. */
export function codeOf(value: string, { fields, written }: Names): string | undefined {
  const [, output = ""] = /^\{\{-?\s*([\w.]+)\s*-?\}\}$/.exec(written(value)) ?? [];
  const typeOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name]?.type : undefined);
  const isCode = ["qr", "barcode"].includes(typeOf(output) ?? "");
  const name = isCode ? output : output.replace(/\.src$/, "");
  return isCode || typeOf(name) === "barcode" ? name : undefined;
}

/** Whether an element is the `<img>` that shows the code of a field. */
export function showsCode(element: HtmlElement, name: string, { fields, written }: Names): boolean {
  const code = CODES[fields[name]?.type ?? "text"];
  if (!code || element.tagName !== "img" || attributeOf(element, code.mark) !== name) return false;
  return written(attributeOf(element, "src")).replace(/^\{\{-?\s*|\s*-?\}\}$/g, "") === code.src(name);
}

/** Why an attribute may not hold the code of a field. */
export function misplacedCode(
  { name, value }: { name: string; value: string },
  field: string,
  { fields }: Names,
): string {
  const { kind, mark, src } = CODES[fields[field]?.type ?? "qr"] ?? { kind: "code", mark: "data-qr", src: String };
  return `Got ${name}="${value}", want a ${kind} as <img ${mark}="${field}" src="{{ ${src(field)} }}">.`;
}

/** Why a mark does not belong on its element. Undefined where it does, or where the attribute is no mark of a code. */
export function wrongMark(
  element: HtmlElement,
  { name, value }: { name: string; value: string },
  names: Names,
): string | undefined {
  const code = Object.entries(CODES).find(([, { mark }]) => mark === name);
  if (!code) return undefined;
  const [type] = code;
  if (names.fields[value]?.type === type && showsCode(element, value, names)) return undefined;
  return `Got ${name}="${value}", want the name of a ${type} field, on the <img> that has ${type === "qr" ? "this field" : "{{ name.src }}"} as its src.`;
}
