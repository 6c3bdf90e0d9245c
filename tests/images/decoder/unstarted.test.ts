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
