import { withBuildLock } from "#scripts/build-lock.ts";

/** Takes the build lock of the folder that it runs in, holds it for as many milliseconds as it is told, and says so. */
const holdMs = Number(process.argv[2]);
await withBuildLock(
  async () => {
    console.log("begin");
    await new Promise((resolve) => setTimeout(resolve, holdMs));
    console.log("end");
  },
  (pid) => console.log(`waiting for ${pid}`),
);
