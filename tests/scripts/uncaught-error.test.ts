import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it("an error that nothing catches ends the start with 1, and with a line of JSON", () => {
  const thrower = `data:text/javascript,const timer = setInterval(() => {
    if (process.listenerCount("uncaughtException") === 0) return;
    clearInterval(timer);
    throw new Error("out of the blue");
  }, 1)`;
  const env = { ...process.env, PORT: "0", HOST: "127.0.0.1", SERVICE_AUTH_ENABLED: "", SERVICE_LOG_LEVEL: "silent" };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", thrower, "scripts/start.ts"], {
    env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ level: "fatal", err: { message: "out of the blue" } });
});
