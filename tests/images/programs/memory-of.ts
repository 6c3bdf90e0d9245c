import { readFileSync } from "node:fs";
import sharp from "sharp";
import { check, dataUrl } from "../files.ts";

/**
 * A program that checks the image whose `data:` URL a file holds, and prints what was found and by how many bytes its peak
 * of memory grew. Every format was checked before, so that nothing is loaded for the first time.
 */
const url = readFileSync(process.argv[2] ?? "", "utf8");
for (const format of ["png", "jpeg", "webp", "gif", "avif"] as const) {
  const small = sharp({ create: { width: 64, height: 64, channels: 3, background: "#a30" } });
  await check(dataUrl(format, await small.toFormat(format).toBuffer()));
}
const before = process.resourceUsage().maxRSS;
const result = await check(url);
const grownBytes = (process.resourceUsage().maxRSS - before) * 1024;
console.log(JSON.stringify({ fault: "fault" in result ? result.fault : undefined, grownBytes }));
