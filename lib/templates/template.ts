import { z } from "zod";
import type { Coverage } from "#lib/fonts/coverage.ts";
import type { DocumentFonts } from "#lib/type/faces/document-fonts.ts";
import { groundFault } from "./compose-colors.ts";
import { atMostFault } from "./faults/number-order.ts";
import { fieldName } from "./fields/field-name.ts";
import { type FieldDeclaration, fieldDeclaration } from "./fields/field-types.ts";
import { colorNameFault } from "./images/color-names.ts";

type Fields = Record<string, FieldDeclaration>;

const SLUG_SEGMENT = "[a-z0-9]+(?:-[a-z0-9]+)*";

/** The slug of a template: its folder relative to the templates folder, such as `social/quote`. */
export const SLUG = new RegExp(`^${SLUG_SEGMENT}(?:/${SLUG_SEGMENT})*$`);

/** Width or height in pixels. Below 16 nothing is legible. At 4,096 × 4,096 a picture takes 67 MB of memory. */
const side = z.number().int().min(16).max(4_096);

/** The Liquid source of a template's body. */
export const MARKUP_FILE = "template.html";

/** The schema of `template.json`. */
export const templateManifest = z.strictObject({
  title: z.string().min(1).max(80),
  description: z.string().min(1).max(300),
  width: side,
  height: side,
  defaultVariant: z.string().min(1),
  tags: z
    .array(z.string().regex(/^[a-z0-9-]+$/, "want lower-case letters, digits and hyphens"))
    .max(12)
    .default([]),
  fields: z.record(fieldName, fieldDeclaration).superRefine((fields, context) => {
    const check = (all: Fields, own: Fields, path: string[]) => {
      for (const [name, field] of Object.entries(own)) {
        const ground = groundFault(all, name);
        const fault = ground === undefined ? colorNameFault(all, field) : { key: "over", message: ground };
        if (fault) context.addIssue({ code: "custom", path: [...path, name, fault.key], message: fault.message });
        const limit = atMostFault(field, path.length === 0 ? all : {});
        if (limit) context.addIssue({ code: "custom", path: [...path, name, "atMost"], message: limit });
      }
    };
    check(fields, fields, []);
    for (const [list, field] of Object.entries(fields))
      if (field.type === "list") check({ ...fields, ...field.item }, field.item, [list, "item"]);
  }),
});

/** The schema of `content.json`: variant → field → value. */
export const templateContent = z
  .record(
    z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "want lower-case words joined by hyphens"),
    z.record(z.string(), z.unknown()),
  )
  .refine((variants) => Object.keys(variants).length > 0, "want at least one variant");

export type TemplateManifest = z.infer<typeof templateManifest>;

/** What a templates folder says about its brand. `logo` is a path in `_parts`, and a `data:` URL in a compiled template. */
export type Brand = { colors: Record<string, string>; families: Record<string, string>; logo?: string | undefined };

/** Field values by name, as a request or a variant holds them. */
export type FieldValues = Record<string, unknown>;

export type Variant = {
  /** The values as written in `content.json`. */
  content: FieldValues;
  /** The values for Liquid: checked, with every field present and empty ones `null`. */
  values: FieldValues;
};

/** A compiled template: checked, and with its assets inlined. */
export type Template = TemplateManifest & {
  slug: string;
  /** SHA-256 of everything that can change a pixel of its pictures. */
  hash: string;
  /** The Liquid source of the body, with assets inlined. */
  html: string;
  /** The style sheet, with assets inlined and generic font families expanded. */
  css: string;
  /** The font families that the style sheet uses. */
  fonts: DocumentFonts;
  /** The characters that its own fonts have glyphs for. Absent where it brings no font. */
  glyphs?: Coverage;
  /** The variable `brand`, in a template that uses it. */
  brand?: Brand;
  variants: Record<string, Variant>;
};

/** One reason why a template cannot be used. */
export type FileFault = {
  /** Path relative to the template's folder. */
  file: string;
  /** Counted from 1. */
  line: number;
  reason: string;
  /** The line itself, without the white space around it. */
  source?: string;
};

export type TemplateFault = FileFault & { slug: string };

export type Registry = { templates: Template[]; faults: TemplateFault[] };
