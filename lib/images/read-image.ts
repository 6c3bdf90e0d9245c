import { isDataUrl, readDataUrl } from "./data-url.ts";
import { fetchImage, type RemoteImages } from "./fetch-image.ts";
import type { ImageFault } from "./image-fault.ts";
import { type OpenedImage, openImage } from "./open-image.ts";

/** Blames the server for what is wrong with the file that it sent. */
function ofServer<T extends object>(result: T | ImageFault): T | ImageFault {
  return "fault" in result ? { ...result, isElsewhere: true } : result;
}

/** Whether an image would be fetched, so that its picture depends on more than the request. */
export function isRemoteImage(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && !isDataUrl(value);
}

/**
 * Opens the image that a value holds or names. Without `remote` no address is accepted, whatever the operator allows.
 * @throws the signal's reason
 */
export async function readImage(
  value: string,
  { remote, signal }: { remote?: RemoteImages | undefined; signal?: AbortSignal | undefined },
): Promise<OpenedImage | ImageFault> {
  if (!remote || !isRemoteImage(value)) {
    const read = readDataUrl(value);
    return "fault" in read ? read : await openImage(read.bytes, value);
  }
  const fetched = await fetchImage(value, remote, signal);
  if ("fault" in fetched) return fetched;
  const opened = ofServer(await openImage(fetched.bytes));
  return "fault" in opened
    ? opened
    : { ...opened, finish: async (whileWanted) => ofServer(await opened.finish(whileWanted)) };
}
