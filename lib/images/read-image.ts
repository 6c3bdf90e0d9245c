import { isDataUrl, readDataUrl } from "./data-url.ts";
import type { ImageFault } from "./image-fault.ts";
import { imageSource } from "./image-source.ts";
import { type OpenedImage, openImage } from "./open-image.ts";
import { fetchImage, type RemoteImages } from "./remote/fetch-image.ts";

/** Marks a fault as one of the image's server. */
function blameServer<T extends object>(result: T | ImageFault): T | ImageFault {
  return "fault" in result ? { ...result, isServerFault: true } : result;
}

/**
 * Whether an image is fetched from another server, so that the picture depends on more than the request.
 * @param value a source, or an object with one
 */
export function isRemoteImage(value: unknown): boolean {
  const source = imageSource(value);
  return typeof source === "string" && source.trim() !== "" && !isDataUrl(source);
}

/** Opens an image. Without `remote`, only `data:` URLs are accepted. @throws the signal's reason */
export async function readImage(
  value: string,
  { remote, signal }: { remote?: RemoteImages | undefined; signal?: AbortSignal | undefined },
): Promise<OpenedImage | ImageFault> {
  if (!remote || !isRemoteImage(value)) {
    const read = readDataUrl(value);
    return "fault" in read ? read : await openImage(read.bytes, { url: value, signal });
  }
  const fetched = await fetchImage(value, remote, signal);
  if ("fault" in fetched) return fetched;
  const opened = blameServer(await openImage(fetched.bytes, { signal }));
  return "fault" in opened
    ? opened
    : { ...opened, decode: async (...options) => blameServer(await opened.decode(...options)) };
}
