import { defineConfig } from "vitest/config";
import usual from "../../vitest.config.ts";

/** Tests that mount a file system of their own, which takes `unshare` as an ordinary user, or root. */
export default defineConfig({
  test: { ...usual.test, include: ["tests/disk/**/*.test.ts"], exclude: [], globalSetup: ["tests/global-setup.ts"] },
});
