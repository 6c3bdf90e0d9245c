import { access, constants } from "node:fs/promises";
import { availableMemory, memoryLimit } from "#lib/environment/memory.ts";
import { freeRoom } from "#lib/free-room.ts";
import { treeBytes } from "#lib/render/chromium/memory-watch.ts";
import { rendering } from "#lib/render/render.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import { BROWSER_DISK_BYTES } from "#lib/render/render-limits.ts";
import { detail, type Finding } from "./finding.ts";

/** With a smaller share of the memory free, the next large picture may not fit. */
const SCARCE_MEMORY_SHARE = 0.1;

/** Room on the disk for this many browsers counts as enough. */
const ENOUGH_ROOM = 4;

/** The memory of the server, of its browsers, and what is free. */
export function lookAtMemory(): Finding {
  const browsers = rendering.get().pids.reduce((sum, pid) => sum + treeBytes(pid), 0);
  const [limit, free] = [memoryLimit(), availableMemory()];
  const details = [
    detail("Server", process.memoryUsage.rss(), "bytes"),
    detail("Browsers", browsers, "bytes"),
    detail("Free", free, "bytes"),
    detail("Limit", limit, "bytes"),
  ];
  const summary = `${Math.round((free / limit) * 100)} % of the memory is free.`;
  if (free >= SCARCE_MEMORY_SHARE * limit) return { state: "ok", summary, details };
  const remedy =
    "Give the service more memory, or lower SERVICE_RENDER_WORKERS, SERVICE_RENDER_WORKER_MB or SERVICE_RENDER_CACHE_MB.";
  return { state: "warning", summary, remedy, details };
}

/** The room in the data folder. */
export async function lookAtDisk(): Promise<Finding> {
  const { dataDir } = requireRenderConfig();
  const remedy = "Free some room there, or set SERVICE_DATA_DIR to a folder with more.";
  const isThere = await access(dataDir, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) return { state: "error", summary: "The data folder cannot be read.", remedy };
  const free = freeRoom(dataDir);
  const details = [
    detail("Free in the data folder", free ?? null, "bytes"),
    detail("Needed by a browser", BROWSER_DISK_BYTES, "bytes"),
  ];
  if (free === undefined) return { state: "ok", summary: "The disk of the data folder tells no limit.", details };
  if (free < BROWSER_DISK_BYTES) {
    return { state: "error", summary: "The data folder has too little room for a browser.", remedy, details };
  }
  if (free < ENOUGH_ROOM * BROWSER_DISK_BYTES) {
    return { state: "warning", summary: "The data folder is nearly full.", remedy, details };
  }
  return { state: "ok", summary: "The data folder has room.", details };
}
