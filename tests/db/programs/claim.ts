import { join } from "node:path";
import { claimFolder } from "#lib/db/embedded/folder-lock.ts";

/** Claims a folder at a given time and keeps it until it is killed. Prints "mine", or the error. */
const [, , dir = "", startAt] = process.argv;
while (Date.now() < Number(startAt));
try {
  await claimFolder({ dir, socket: join(dir, `${process.pid}.socket`), onWait: () => undefined });
  console.log("mine");
  setInterval(() => undefined, 1_000);
} catch (error) {
  console.log((error as Error).message);
}
