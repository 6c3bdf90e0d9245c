import { isUtf8 } from "node:buffer";
import { inDecoder } from "#lib/images/decoder/decoders.ts";
import { formatOf, isSvg } from "#lib/images/format.ts";
import { WANTED_FORMATS } from "#lib/images/image-fault.ts";
import { ASSET_LIMIT_MS } from "#lib/images/image-limits.ts";
import { stillDrawing } from "../images/still-drawing.ts";

const SVG_TYPE = "image/svg+xml";

/** An `<svg>` with a namespace, which may follow other attributes. */
const NAMESPACE = /<svg(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*?\s+xmlns\s*=/;

/** Advice for a drawing without a size, which the library reports as damaged. */
const SVG_ADVICE = " An <svg> needs a width and a height, or a viewBox.";

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** @param advice follows the reason of the decoder for a damaged image */
async function decodeFault(bytes: Buffer, advice = ""): Promise<string | undefined> {
  const decoded = await inDecoder("decodeWhole", [bytes], ASSET_LIMIT_MS);
  if ("fault" in decoded) return decoded.fault;
  return decoded.reason === undefined ? undefined : `The image cannot be decoded: ${decoded.reason}.${advice}`;
}

function namespaceFault(svg: string): string | undefined {
  if (NAMESPACE.test(svg)) return undefined;
  return 'The <svg> has no namespace, so that a browser draws nothing. Add xmlns="http://www.w3.org/2000/svg".';
}

/** An address that is an SVG itself: whether it is base64, and its text. What follows a # is no part of the image. */
const INLINE_SVG = /^data:image\/svg\+xml(?<parameters>[^,#]*),(?<text>[^#]*)(?<fragment>#.*)?$/is;

/** The text of an inline SVG. Like a browser, this takes a percent sign that encodes nothing as it is. */
function inlineText({ parameters = "", text = "" }: Record<string, string>): string {
  const bytes = Buffer.from(text)
    .toString("latin1")
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, /;\s*base64$/i.test(parameters) ? "base64" : "latin1").toString();
}

/** Says why a browser draws nothing for the address of an inline SVG. Undefined for other addresses. */
export function inlineSvgFault(address: string): string | undefined {
  const { groups } = INLINE_SVG.exec(address) ?? {};
  if (!groups) return undefined;
  const svg = inlineText(groups);
  if (groups.fragment !== undefined && !svg.includes("</svg"))
    return "Got an inline SVG with a #, which ends it. Write %23 instead, or use a file of assets.";
  return namespaceFault(svg);
}

/** The address of an inline SVG that stands still. Undefined for others, which stay as they are. */
export function stillInlineSvg(address: string): string | undefined {
  const { groups } = INLINE_SVG.exec(address) ?? {};
  // A backslash is an escape of CSS.
  if (!groups || address.includes("\\")) return undefined;
  const svg = inlineText(groups);
  const still = stillDrawing(svg);
  if (still === svg) return undefined;
  return `data:image/svg+xml;base64,${Buffer.from(still).toString("base64")}${groups.fragment ?? ""}`;
}

/** What a browser refuses in a drawing, although the library may read it. */
async function svgFault(bytes: Buffer): Promise<string | undefined> {
  const found = formatOf(bytes);
  if (found) return `Got ${found.name} in a file that is named as SVG. Name it by its format.`;
  if (isGzip(bytes)) return "Got a compressed SVG (SVGZ), want it uncompressed.";
  if (!isUtf8(bytes)) return "Got SVG in another encoding, want UTF-8.";
  return (await decodeFault(bytes, SVG_ADVICE)) ?? namespaceFault(bytes.toString());
}

/** The same in another image. A browser goes by its content: a WebP that is named as PNG is drawn. */
async function rasterFault(bytes: Buffer): Promise<string | undefined> {
  const fault = await decodeFault(bytes);
  if (fault !== undefined || formatOf(bytes)) return fault;
  if (isSvg(bytes)) return "Got SVG in a file that is named otherwise. Name it .svg.";
  return `Got an image of a format that browsers do not draw, want ${WANTED_FORMATS}, or an SVG.`;
}

/**
 * Says what is wrong with an image of a template. A background that cannot be drawn would be missing from every picture, and nothing would
 * tell. A small file may hold more pixels than the memory of a machine.
 */
export async function imageFault(bytes: Buffer, mediaType: string): Promise<string | undefined> {
  return await (mediaType === SVG_TYPE ? svgFault(bytes) : rasterFault(bytes));
}
