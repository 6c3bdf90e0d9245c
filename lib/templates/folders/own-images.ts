import { inDecoder } from "#lib/images/decoder/decoders.ts";
import { CUT_SHORT, TAKES_TOO_LONG } from "#lib/images/image-fault.ts";
import { ASSET_LIMIT_MS } from "#lib/images/image-limits.ts";
import { imageSource } from "#lib/images/image-source.ts";
import { wantsAnything } from "#lib/images/prepare/find-in-image.ts";
import { type Assets, findAsset } from "../assets.ts";
import type { ValueFault } from "../faults/value-faults.ts";
import { wantedOf } from "../fields/image.ts";
import type { ImageDeclaration } from "../images/image-declaration.ts";
import { readImageRequest } from "../images/image-request.ts";
import { type AskedCrop, imageValue } from "../images/image-value.ts";
import { itemsOf } from "../lists/leaf-fields.ts";
import type { FieldValues, TemplateManifest } from "../template.ts";

type Fields = TemplateManifest["fields"];

/** The smallest image that passes every check. */
const STAND_IN = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=";

/** An image of a variant that names an asset. Such an image may be SVG, unlike one of a request. */
export type OwnImage = {
  item?: { list: string; index: number };
  name: string;
  asset: string;
  declaration: ImageDeclaration;
  crop: AskedCrop;
  faults: ValueFault[];
};

type Split = { fields: Fields; values: FieldValues; assets: Assets };

/** Separates the images that name an asset. They are put back after the other values are checked. */
export function splitAssets({ fields, values, assets }: Split): { own: OwnImage[]; rest: FieldValues } {
  const own: OwnImage[] = [];
  const rest: FieldValues = {};
  for (const [name, value] of Object.entries(values)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const source = imageSource(value);
    const asset = field?.type === "image" && typeof source === "string" ? findAsset(assets, source) : undefined;
    if (field?.type === "list" && Array.isArray(value)) {
      rest[name] = value.map((item: unknown, index) => {
        if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
        const split = splitAssets({ fields: field.item, values: item as FieldValues, assets });
        own.push(...split.own.map((image) => ({ ...image, item: { list: name, index } })));
        // Something has to stand for a required image while the item is checked.
        return { ...split.rest, ...Object.fromEntries(split.own.map((image) => [image.name, STAND_IN])) };
      });
    } else if (asset === undefined || field?.type !== "image") rest[name] = value;
    else {
      const { crop, faults } = readImageRequest(value);
      own.push({ name, asset, declaration: field, crop, faults });
    }
  }
  return { own, rest };
}

/** Looks at an asset as at an image of a request. Drawings are not searched for a point to keep. */
async function prepare({ asset, declaration, crop, faults }: OwnImage) {
  const isDrawing = asset.startsWith("data:image/svg");
  const wanted = wantedOf(declaration, crop);
  const own = { ...wanted, focalPoint: wanted.focalPoint === true && !isDrawing };
  if (!wantsAnything(own)) return imageValue(asset, crop);
  const bytes = Buffer.from(asset.slice(asset.indexOf(",") + 1), "base64");
  const found = await inDecoder("findInAsset", [bytes, { ...own, isDrawing }], ASSET_LIMIT_MS);
  if (!("fault" in found)) return imageValue(asset, { ...crop, ...found });
  // An asset that cannot be decoded is reported as such by assets.ts.
  if (found.fault !== CUT_SHORT) faults.push({ code: "image_rejected", message: found.fault });
  return imageValue(asset, crop);
}

/** Whether one of the images takes too long. Each further one could take as long. */
export function takesTooLong(own: OwnImage[]): boolean {
  return own.some(({ faults }) => faults.some(({ message }) => message === TAKES_TOO_LONG));
}

/** The values with the images of {@link splitAssets}, which are looked at until one takes too long. */
export async function withOwn(values: FieldValues, own: OwnImage[]): Promise<FieldValues> {
  const result = { ...values };
  for (const image of own) {
    const { item, name } = image;
    const value = takesTooLong(own) ? imageValue(image.asset, image.crop) : await prepare(image);
    if (!item) result[name] = value;
    else Object.assign(itemsOf(values[item.list])[item.index] ?? {}, { [name]: value });
  }
  return result;
}
