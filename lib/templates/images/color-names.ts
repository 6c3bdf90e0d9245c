import { isHexColor } from "../fields/color.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";

type Declarations = Record<string, FieldDeclaration>;

/** A colour of an image, such as `photo.colors.accent`. */
const IMAGE_COLOR = /^(\w+)\.colors\.(dominant|ink|accent)$/;

/** The image and the name of its colour that a colour field has where nobody gives one. */
export function imageColorOf(from: string): { image: string; color: "dominant" | "ink" | "accent" } | undefined {
  const [, image, color] = IMAGE_COLOR.exec(from) ?? [];
  return image === undefined ? undefined : { image, color: color as "dominant" | "ink" | "accent" };
}

type Fault = { key: string; message: string };

function fromFault(fields: Declarations, from: string, fallback: unknown): Fault | undefined {
  const isColor = typeof fallback === "string" && (isHexColor(fallback) || fallback.startsWith("brand."));
  if (fallback !== undefined && !isColor) return { key: "default", message: "Want a hex colour such as #1d4ed8." };
  const { image = "" } = imageColorOf(from) ?? {};
  const field = Object.hasOwn(fields, image) ? fields[image] : undefined;
  if (field?.type === "image" && field.colors) return undefined;
  const wanted = 'a colour of an image field that declares "colors": true, such as photo.colors.accent';
  return { key: "from", message: `Got "${from}", want ${wanted}.` };
}

/** Why a field cannot use the colours that it names: of an image for a colour, or of fields for an image. */
export function colorNameFault(fields: Declarations, field: FieldDeclaration): Fault | undefined {
  if (field.type === "color")
    return field.from === undefined ? undefined : fromFault(fields, field.from, field.default);
  if (field.type !== "image") return undefined;
  const isColor = (name: string) => isHexColor(name) || (Object.hasOwn(fields, name) && fields[name]?.type === "color");
  const named = [
    ...(field.over === undefined ? [] : [["over", field.over] as const]),
    ...(field.duotone ?? []).map((name) => ["duotone", name] as const),
  ];
  const [key, name] = named.find(([, color]) => !isColor(color)) ?? [];
  if (key === undefined) return undefined;
  return { key, message: `Got "${name}", want a hex colour or the name of a color field.` };
}
