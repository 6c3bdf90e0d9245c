import { readdirSync } from "node:fs";
import { sharp } from "#lib/sharp.ts";

/** Threads of this process. Linux only. */
const threads = () => readdirSync("/proc/self/task").length;

const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: "#fff", noise } })
  .png()
  .toBuffer();
const before = threads();
await Promise.all(Array.from({ length: 20 }, () => sharp(picture).png({ compressionLevel: 7 }).toBuffer()));
console.log(threads() - before);
