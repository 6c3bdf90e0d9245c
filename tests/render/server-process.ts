import { warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";

/** A server without its HTTP: it starts rendering, says which browser it has, and ends when it is told to or killed. */
await warmUp();
console.log(JSON.stringify({ browserPid: shared.get().pool?.pids[0] }));
process.stdin.on("data", () => process.exit(3));
