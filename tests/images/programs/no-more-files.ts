import { closeSync, openSync } from "node:fs";
import { stopDecoders } from "#lib/images/decoder/decoders.ts";
import { check, dataUrl, picture } from "../files.ts";

/** Checks an image while this process may open no further file, and again when it may. Prints both results. */
const url = dataUrl("png", await picture(4, 4).png().toBuffer());
const outcome = () => check(url).catch(({ code }: { code: string }) => code);
const files: number[] = [];
try {
  for (;;) files.push(openSync("/dev/null", "r"));
} catch {
  const refused = await outcome();
  for (const file of files) closeSync(file);
  console.log(JSON.stringify([refused, await outcome()]));
  stopDecoders();
}
