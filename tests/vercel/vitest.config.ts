import { defineConfig } from "vitest/config";
import { usual } from "../../vitest.config.ts";

/** Tests of the functions that Vercel makes of a build. They read the existing build, or make one. */
export default defineConfig({
  test: { ...usual, include: ["tests/vercel/**/*.test.ts"], maxWorkers: 1 },
});
