import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { endFirst } from "#lib/render/chromium/out-of-memory.ts";
import { processTree } from "#lib/render/chromium/process-tree.ts";

/** Starts a child, which starts one too, and tells when both run. */
const PARENT = `
const { spawn } = require("node:child_process");
const depth = Number(process.argv[1]);
if (depth === 0) console.log("ready");
else spawn(process.execPath, ["-e", process.env.PARENT, String(depth - 1)], { stdio: "inherit" });
setInterval(() => undefined, 1_000);
`;

test("processes that a browser started before its score was set are ended before the server too", async () => {
  const leader = spawn(process.execPath, ["-e", PARENT, "2"], {
    detached: true,
    env: { ...process.env, PARENT },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    process.kill(-Number(leader.pid), "SIGKILL");
    await once(leader, "close");
  });
  await once(leader.stdout, "data");
  const members = processTree(Number(leader.pid));
  expect(members).toHaveLength(3);
  endFirst(Number(leader.pid));
  const scores = members.map((pid) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8")));
  expect(scores).toEqual([1_000, 1_000, 1_000]);
});
