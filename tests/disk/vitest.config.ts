import { defineConfig } from "vitest/config";
import usual from "../../vitest.config.ts";

/** What needs a file system of its own, and so the right to mount one: of `unshare` as an ordinary user, or as root. */
export default defineConfig({
  test: { ...usual.test, include: ["tests/disk/**/*.test.ts"], exclude: [], globalSetup: ["tests/global-setup.ts"] },
});
