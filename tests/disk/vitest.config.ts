import { defineConfig } from "vitest/config";
import { usual } from "../../vitest.config.ts";

/** Tests on a file system of their own. They need the right to mount one: `unshare` as an ordinary user, or root. */
export default defineConfig({
  test: { ...usual, include: ["tests/disk/**/*.test.ts"] },
});
