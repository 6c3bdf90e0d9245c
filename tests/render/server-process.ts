import { rendering, warmUp } from "#lib/render/render.ts";

/** A server without HTTP: it starts rendering, prints its browser, and ends with any line on its standard input. */
await warmUp();
console.log(JSON.stringify({ browserPid: rendering.get().pids[0] }));
process.stdin.on("data", () => process.exit(3));
