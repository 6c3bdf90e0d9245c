import { floodLogins } from "./flood-logins.ts";

/*
 * A process of its own, so that the flood takes no time from the clients that are measured. Arguments: the port, the number of
 * connections. It ends when its parent disconnects, and sends what was answered before that on every message.
 */

const [port = 0, connections = 0] = process.argv.slice(2).map(Number);
const flood = floodLogins({ port, connections });
process.on("message", () => process.send?.(flood.statuses));
process.once("disconnect", () => flood.end());
