import { warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";

/** A server without its HTTP: it starts rendering, says which browser it has, and waits to be killed. */
await warmUp();
console.log(JSON.stringify({ browserPid: shared().pool?.pids[0] }));
process.stdin.resume();
