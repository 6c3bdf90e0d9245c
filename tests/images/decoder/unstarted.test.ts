import { execFileSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { captureLog } from "#tests/captured-log.ts";
import { check, dataUrl, picture } from "../files.ts";

vi.mock("#lib/config.ts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("#lib/config.ts")>()),
  PROJECT_DIR: "/nonexistent",
}));

test("when no process can start that decodes images, none is blamed, and the log says why", async () => {
  const lines = captureLog();
  const url = dataUrl("png", await picture(4, 4).png().toBuffer());
  const error = await check(url).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "unavailable" });
  expect(lines.join("")).toMatch(/The process that decodes images ended .*Cannot find module/s);
});

test("a server that may open no further file refuses images until it may again", () => {
  const command = 'ulimit -n 64 && exec "$0" tests/images/programs/no-more-files.ts';
  const printed = execFileSync("sh", ["-c", command, process.execPath], { encoding: "utf8" });
  expect(JSON.parse(printed.trim().split("\n").at(-1) ?? "")).toEqual([
    "unavailable",
    { pixels: 16, url: expect.stringMatching(/^data:image\/png;/) },
  ]);
});
