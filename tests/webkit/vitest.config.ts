import { defineConfig } from "vitest/config";
import { usual } from "../../vitest.config.ts";

/** The pages in WebKitGTK. Needs Xvfb, and Debian's package `webkit2gtk-driver`. */
export default defineConfig({
  test: { ...usual, include: ["tests/webkit/**/*.test.ts"] },
});
