import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { AppError } from "#lib/errors.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { type FieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";
import type { FieldValues } from "#lib/templates/template.ts";
import { JsonRefused, parseJson } from "../parse-json.ts";
import type { Table } from "./read-rows.ts";

/** Thrown for a cell that cannot be used. */
export class CellRefused extends Error {}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
}

/** The JSON types that a schema accepts. */
function typesOf(schema: JsonSchema): Set<string> {
  const own = [schema.type].flat().filter((type) => typeof type === "string");
  const listed = Array.isArray(schema.enum) ? schema.enum.map((value) => typeof value) : [];
  return new Set([...own, ...listed, ...alternativesOf(schema).flatMap((inner) => [...typesOf(inner)])]);
}

/** The keys of the objects that a schema accepts. */
function keysOf(schema: JsonSchema): string[] {
  return [...Object.keys(schema.properties ?? {}), ...alternativesOf(schema).flatMap(keysOf)];
}

/** Whether a cell is meant as an object of its field. A text may look like one: code is often JSON. */
function isObjectCell(text: string, schema: JsonSchema, types: Set<string>): boolean {
  if (!types.has("object") || !text.startsWith("{")) return false;
  const [, key = ""] = /^\{\s*"([^"]*)"/.exec(text) ?? [];
  return !types.has("string") || keysOf(schema).includes(key);
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A number as spreadsheets of some languages write it: with a decimal comma, or with separators of thousands. */
const LOCAL_NUMBER = /^[+-]?\d[\d.,'’\s]*\d$/;

/** The words that spreadsheets and people write. */
const BOOLEANS = new Map([
  ...["true", "yes", "1"].map((word) => [word, true] as const),
  ...["false", "no", "0"].map((word) => [word, false] as const),
]);

function parsed(cell: string): unknown {
  try {
    return parseJson(cell);
  } catch (error) {
    if (error instanceof JsonRefused || error instanceof AppError) throw new CellRefused(error.message);
    return cell;
  }
}

/**
 * Converts a cell to a type that its field takes. A cell that fits no type stays a text, which the field refuses.
 * @throws CellRefused for a number with a comma or separators, which could mean two numbers
 */
export function convertCell(cell: string, declaration: FieldDeclaration): unknown {
  const schema = fieldType(declaration).jsonSchema(declaration);
  const types = typesOf(schema);
  const text = cell.trim();
  if (isObjectCell(text, schema, types) || (types.has("array") && text.startsWith("["))) return parsed(text);
  if ((types.has("number") || types.has("integer")) && NUMBER.test(text)) return Number(text);
  if (types.has("number") && !types.has("string") && LOCAL_NUMBER.test(text))
    throw new CellRefused(
      `Got "${cell}" for "${declaration.label}", want a decimal point and no separators, such as 1234.5.`,
    );
  return (types.has("boolean") ? BOOLEANS.get(text.toLowerCase()) : undefined) ?? cell;
}

const MEDIA_TYPES = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["webp", "image/webp"],
  ["gif", "image/gif"],
  ["avif", "image/avif"],
]);

/**
 * Reads an image that a cell names by its path, relative to the folder of the table. Addresses and `data:` URLs stay.
 * @throws CellRefused for a file that is missing, outside this folder, or of another type
 */
function readImageCell(cell: unknown, tableFile: string): unknown {
  const extension = typeof cell === "string" ? /^(?![a-z]+:).+\.([a-z]+)$/i.exec(cell.trim())?.[1] : undefined;
  const type = MEDIA_TYPES.get(extension?.toLowerCase() ?? "");
  if (typeof cell !== "string" || type === undefined) return cell;
  try {
    const folder = realpathSync(dirname(tableFile));
    const path = realpathSync(join(folder, cell.trim()));
    if (!path.startsWith(folder + sep)) throw new CellRefused(`"${cell}" is outside the folder of the table.`);
    // Reading a pipe would wait for its other end.
    if (!statSync(path).isFile()) throw new CellRefused(`"${cell}" is not a file.`);
    return `data:${type};base64,${readFileSync(path).toString("base64")}`;
  } catch (error) {
    if (error instanceof CellRefused) throw error;
    throw new CellRefused(`"${cell}" cannot be read. Write a path relative to the folder of the table.`);
  }
}

/** The images of a value: the cell itself, the `src` beside a focus, or those of a list's items. @throws CellRefused */
function readImages(value: unknown, declaration: FieldDeclaration, tableFile: string): unknown {
  const isObject = (one: unknown): one is FieldValues => typeof one === "object" && one !== null && !Array.isArray(one);
  if (declaration.type === "image")
    return isObject(value) ? { ...value, src: readImageCell(value.src, tableFile) } : readImageCell(value, tableFile);
  if (declaration.type !== "list" || !Array.isArray(value)) return value;
  return value.map((item) => {
    if (!isObject(item)) return item;
    const fields = Object.entries(item).map(([name, own]) => {
      const field = Object.hasOwn(declaration.item, name) ? declaration.item[name] : undefined;
      return [name, field ? readImages(own, field, tableFile) : own];
    });
    return Object.fromEntries(fields);
  });
}

type RowData = {
  cells: Record<string, unknown>;
  fields: Record<string, FieldDeclaration>;
  table: Pick<Table, "isText" | "columns">;
  tableFile: string;
  /** Edits of every row, which its cells replace. */
  shared?: FieldValues | undefined;
};

/**
 * The fields whose cell is empty, with `null` as their value: words of the variant are about somebody else. A required field
 * with a default, such as a colour, keeps the value of the variant.
 */
function emptied({ cells, fields, table: { isText, columns } }: RowData): FieldValues {
  const isEmptied = (name: string) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field !== undefined && !Object.hasOwn(cells, name) && !(field.required && field.default !== undefined);
  };
  return Object.fromEntries((isText ? columns : []).filter(isEmptied).map((name) => [name, null]));
}

/** The value of a cell, or why it cannot be used. */
function readCell(cell: unknown, declaration: FieldDeclaration, { table, tableFile }: RowData): unknown {
  try {
    return readImages(table.isText ? convertCell(String(cell), declaration) : cell, declaration, tableFile);
  } catch (error) {
    if (error instanceof CellRefused) return error;
    throw error;
  }
}

/** The edits of a row: its cells that are fields, over those of every row. @throws CellRefused that tells every such cell */
export function dataOf(row: RowData): FieldValues {
  const { cells, fields, shared } = row;
  const edits = Object.entries(cells).flatMap(([name, cell]) => {
    const declaration = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return declaration ? [[name, readCell(cell, declaration, row)] as const] : [];
  });
  const refused = edits.flatMap(([, value]) => (value instanceof CellRefused ? value.message : []));
  if (refused.length > 0) throw new CellRefused(refused.join(" "));
  return { ...emptied(row), ...shared, ...Object.fromEntries(edits) };
}
