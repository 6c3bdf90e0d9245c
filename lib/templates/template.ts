import { z } from "zod";
import type { Coverage } from "#lib/fonts/coverage.ts";
import { fieldDeclaration } from "./fields/field-types.ts";

const SLUG_SEGMENT = "[a-z0-9]+(?:-[a-z0-9]+)*";

/** A template's folder below the templates folder, such as `social/quote`. */
export const SLUG = new RegExp(`^${SLUG_SEGMENT}(?:/${SLUG_SEGMENT})*$`);

/** A name that means the same in JSON, in Liquid and in a form. */
const FIELD_NAME = /^[a-z][a-zA-Z0-9]{0,39}$/;

/** Words of Liquid, and names that a JSON body may not have anywhere. */
const RESERVED_NAMES = [
  "empty",
  "blank",
  "nil",
  "null",
  "true",
  "false",
  "forloop",
  "and",
  "or",
  "not",
  "contains",
  "constructor",
  "prototype",
];

/** The sides of a picture in pixels: below 16 nothing is legible, above 4,096 one picture takes 67 MB of memory. */
const side = z.number().int().min(16).max(4_096);

const fieldName = z
  .string()
  .regex(FIELD_NAME, "want a letter, then letters and digits, 40 at most")
  .refine((name) => !RESERVED_NAMES.includes(name), "is a reserved word");

/** `template.json`. */
export const templateManifest = z.strictObject({
  title: z.string().min(1).max(80),
  description: z.string().min(1).max(300),
  width: side,
  height: side,
  defaultVariant: z.string().min(1),
  tags: z
    .array(z.string().regex(/^[a-z0-9-]+$/))
    .max(12)
    .default([]),
  fields: z.record(fieldName, fieldDeclaration),
});

/** `content.json`: variant → field → value. */
export const templateContent = z
  .record(
    z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "want lower-case words joined by hyphens"),
    z.record(z.string(), z.unknown()),
  )
  .refine((variants) => Object.keys(variants).length > 0, "want at least one variant");

export type TemplateManifest = z.infer<typeof templateManifest>;

/** Field values by name, as a request or a variant gives them. */
export type FieldValues = Record<string, unknown>;

export type Variant = {
  /** As `content.json` writes them. */
  content: FieldValues;
  /** As Liquid gets them: checked, every field there, empty ones `null`. */
  values: FieldValues;
};

/** A template as the registry holds it: checked, with its styles and assets ready to be put into a document. */
export type Template = TemplateManifest & {
  slug: string;
  /** SHA-256 over everything that can change a pixel of its pictures. */
  hash: string;
  /** The Liquid source of the body, assets inlined. */
  html: string;
  /** Assets inlined, generic font families spelled out. */
  css: string;
  /** What its own fonts have a glyph for; absent where it brings none. */
  glyphs?: Coverage;
  variants: Record<string, Variant>;
};

/** Why a template cannot be used: where in which of its files, and what is wrong there. */
export type FileFault = {
  /** Relative to the template's folder. */
  file: string;
  /** From 1. */
  line: number;
  reason: string;
};

export type TemplateFault = FileFault & { slug: string };

export type Registry = { templates: Template[]; faults: TemplateFault[] };
