import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/** Prints how many bytes of JavaScript objects are alive, whenever the process gets SIGUSR2. */
function countHeap(): void {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    collect();
    console.error(`The heap has ${process.memoryUsage().heapUsed} bytes.`);
  });
}

if (isMainThread) countHeap();
