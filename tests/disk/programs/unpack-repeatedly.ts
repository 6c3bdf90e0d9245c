import { join } from "node:path";
import { unpackInto } from "#lib/render/chromium/unpack.ts";

const [dir = "", times = "1"] = process.argv.slice(2);

/** Unpacks Chromium into a new folder of `dir` several times, and prints the code that each attempt ended with. */
const codes = new Set<unknown>();
for (let i = 0; i < Number(times); i++) {
  const code = await unpackInto(join(dir, `chromium-${i}`)).then(
    () => "unpacked",
    (error) => error.code ?? error.message,
  );
  codes.add(code);
}
console.log([...codes].join());
