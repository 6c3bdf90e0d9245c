import { readFileSync } from "node:fs";
import sharp from "sharp";
import { stopDecoders } from "#lib/images/decoder/decoders.ts";
import { decoderPids } from "../decoder/decoder-processes.ts";
import { check, dataUrl } from "../files.ts";

/**
 * Checks the image whose `data:` URL is in a file, and prints the fault and the growth of the peak memory in bytes, of this process
 * and of the one that decodes images together. A small image of the same format is checked before, so that the memory of libraries
 * does not count.
 */
const FORMATS = ["png", "jpeg", "webp", "gif", "avif"] as const;

const url = readFileSync(process.argv[2] ?? "", "utf8");
const format = FORMATS.find((name) => url.startsWith(`data:image/${name};`)) ?? "png";
const small = sharp({ create: { width: 64, height: 64, channels: 3, background: "#a30" } });
await check(dataUrl(format, await small.toFormat(format, { effort: 1 }).toBuffer()));
const pids = [process.pid, ...decoderPids()];
const peaks = () =>
  pids.map((pid) => Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]));
const before = peaks();
const result = await check(url);
const grownBytes = peaks().reduce((sum, peak, index) => sum + peak - (before[index] ?? 0), 0) * 1_024;
stopDecoders();
console.log(JSON.stringify({ fault: "fault" in result ? result.fault : undefined, grownBytes }));
