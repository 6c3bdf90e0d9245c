import { expect, it, vi } from "vitest";
import { FolderInUse } from "#lib/db/embedded/folder-lock.ts";
import { ConfigError } from "#lib/environment/config-error.ts";

const FAULTS = [{ variable: "PORT", message: "got text" }];

it("an error of another copy of the class is an instance, as the bundler makes such copies", async () => {
  vi.resetModules();
  const copy = await import("#lib/environment/config-error.ts");
  expect(copy.ConfigError).not.toBe(ConfigError);
  const error = new copy.ConfigError(FAULTS);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).not.toBeInstanceOf(FolderInUse);
  expect(new FolderInUse(".data", 7)).toBeInstanceOf(FolderInUse);
  expect(new Error("PORT")).not.toBeInstanceOf(ConfigError);
});
