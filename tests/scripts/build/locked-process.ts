import { withBuildLock } from "#scripts/build/build-lock.ts";

/** Holds the build lock of its working directory for the given number of milliseconds, and prints when it begins and ends. */
const holdMs = Number(process.argv[2]);
await withBuildLock(
  async () => {
    console.log("begin");
    await new Promise((resolve) => setTimeout(resolve, holdMs));
    console.log("end");
  },
  (pid) => console.log(`waiting for ${pid}`),
);
