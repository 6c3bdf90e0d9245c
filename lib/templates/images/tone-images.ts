import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { AppError } from "#lib/errors.ts";
import { drawDuotone, type Tones } from "#lib/images/duotone.ts";
import type { ImageFault } from "#lib/images/image-fault.ts";
import { composeOver, inkOn, readableOn } from "#lib/type/contrast/colors.ts";
import { composeColors } from "../compose-colors.ts";
import { isHexColor } from "../fields/color.ts";
import { itemsOf, type LeafField, leafPointer, leavesOf, withValue } from "../lists/leaf-fields.ts";
import type { FieldValues, Template } from "../template.ts";
import type { ImageDeclaration } from "./image-declaration.ts";
import { type ImageValue, urlOf } from "./image-value.ts";

type ColorsAround = (leaf: LeafField) => FieldValues;

/** Finds the colours of the template, and of the item that a leaf belongs to, once for each item: it may have a hundred images. */
function colorsAround({ fields }: Template, values: FieldValues): ColorsAround {
  const known = new Map<string, FieldValues>();
  const find = ({ item }: LeafField): FieldValues => {
    const list = item && fields[item.list];
    if (!item || list?.type !== "list") return composeColors(fields, values);
    return composeColors({ ...fields, ...list.item }, { ...values, ...itemsOf(values[item.list])[item.index] });
  };
  return (leaf) => {
    const key = leaf.item ? `${leaf.item.list} ${leaf.item.index}` : "";
    const colors = known.get(key) ?? find(leaf);
    known.set(key, colors);
    return colors;
  };
}

function channelsOf(color: string): Tones["dark"] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return [red, green, blue];
}

/** With less than this contrast, an image is hardly seen. Black and pure blue, which designs use, have 2.4:1. */
const TONES_CONTRAST = 2;

/** Moves one of two colours that are too near to show an image: darker shadows on a light ground, lighter lights on a dark one. */
function apart(dark: string, light: string): [dark: string, light: string] {
  if (inkOn(light) === "#000000") return [readableOn(dark, light, TONES_CONTRAST), light];
  return [dark, readableOn(light, dark, TONES_CONTRAST)];
}

/** The colours of a duotone. Undefined where a colour field that it names is empty. */
function tonesOf({ duotone = ["", ""] }: ImageDeclaration, colors: FieldValues): Tones | undefined {
  const [dark, light] = duotone.map((name) => (isHexColor(name) ? name : colors[name]));
  if (typeof dark !== "string" || typeof light !== "string") return undefined;
  const tones: [string, string] = [composeOver(dark), composeOver(light)];
  const [shadows, lights] = duotone.every(isHexColor) ? tones : apart(...tones);
  return { dark: channelsOf(shadows), light: channelsOf(lights) };
}

/** Memory for images of variants in two colours, in bytes. Most have 200 kB. */
const KEPT_BYTES = 16_000_000;

/** Images of variants in two colours: most pictures of a template have the same ones, and drawing one takes 30 ms. */
const kept = new LRUCache<string, string>({ maxSize: KEPT_BYTES, sizeCalculation: ({ length }) => length });

const ownUrls = new WeakMap<Template, Set<string>>();

/** The images of all variants of a template. */
function urlsOf(template: Template): Set<string> {
  const known = ownUrls.get(template);
  if (known) return known;
  const images = Object.values(template.variants).flatMap(({ values }) =>
    leavesOf(template.fields, values).filter(({ declaration, value }) => declaration.type === "image" && value),
  );
  const urls = new Set(images.map(({ value }) => urlOf(value as ImageValue)));
  ownUrls.set(template, urls);
  return urls;
}

type Drawing = { url: string; tones: Tones; side: number };

async function drawToned({ url, tones, side }: Drawing, signal?: AbortSignal): Promise<string | ImageFault> {
  const bytes = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  return await drawDuotone(bytes, { ...tones, side }, signal);
}

/** Draws an image of a variant, or returns it if it was drawn before. */
async function drawOwn(drawing: Drawing, signal?: AbortSignal): Promise<string | ImageFault> {
  const { url, tones, side } = drawing;
  const key = createHash("sha256")
    .update(JSON.stringify([tones, side]))
    .update(url)
    .digest("base64");
  const known = kept.get(key);
  if (known !== undefined) return known;
  const drawn = await drawToned(drawing, signal);
  if (typeof drawn === "string") kept.set(key, drawn);
  return drawn;
}

type Toned = { template: Template; colorsOf: ColorsAround };

async function toneImage({ template, colorsOf }: Toned, leaf: LeafField, signal?: AbortSignal): Promise<ImageValue> {
  const { declaration, id } = leaf;
  const image = leaf.value as ImageValue;
  const tones = tonesOf(declaration as ImageDeclaration, colorsOf(leaf));
  if (!tones) return image;
  const url = urlOf(image);
  const zoom = typeof image === "string" ? 1 : (image.zoom ?? 1);
  const drawing = { url, tones, side: Math.max(template.width, template.height) * Math.ceil(zoom) };
  const drawn = await (urlsOf(template).has(url) ? drawOwn(drawing, signal) : drawToned(drawing, signal));
  if (typeof drawn === "string") return typeof image === "string" ? drawn : { ...image, src: drawn };
  const issue = { path: leafPointer(id), code: "image_rejected", message: drawn.fault };
  throw new AppError("image_rejected", "An image cannot be drawn in two colours.", { issues: [issue] });
}

/**
 * The values with the images that their template draws in two colours. Colours may come from other fields, so this comes after
 * all of them are read.
 * @throws AppError `image_rejected`, or the signal's reason
 */
export async function toneImages(template: Template, values: FieldValues, signal?: AbortSignal): Promise<FieldValues> {
  const leaves = leavesOf(template.fields, values).filter(
    ({ declaration, value }) => declaration.type === "image" && declaration.duotone && value,
  );
  const colorsOf = colorsAround(template, values);
  const toned = await Promise.all(leaves.map((leaf) => toneImage({ template, colorsOf }, leaf, signal)));
  return leaves.reduce((result, leaf, index) => withValue(result, leaf, toned[index]), values);
}
