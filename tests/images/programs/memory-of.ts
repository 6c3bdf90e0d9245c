import { readFileSync } from "node:fs";
import sharp from "sharp";
import { check, dataUrl } from "../files.ts";

/**
 * Checks the image whose `data:` URL is in a file, and prints the fault and the growth of the peak memory in bytes. A
 * small image of the same format is checked before, so that the memory of libraries does not count.
 */
const FORMATS = ["png", "jpeg", "webp", "gif", "avif"] as const;

const url = readFileSync(process.argv[2] ?? "", "utf8");
const format = FORMATS.find((name) => url.startsWith(`data:image/${name};`)) ?? "png";
const small = sharp({ create: { width: 64, height: 64, channels: 3, background: "#a30" } });
await check(dataUrl(format, await small.toFormat(format, { effort: 1 }).toBuffer()));
const before = process.resourceUsage().maxRSS;
const result = await check(url);
const grownBytes = (process.resourceUsage().maxRSS - before) * 1024;
console.log(JSON.stringify({ fault: "fault" in result ? result.fault : undefined, grownBytes }));
