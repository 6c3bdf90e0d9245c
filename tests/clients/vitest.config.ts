import { defineConfig } from "vitest/config";
import { usual } from "../../vitest.config.ts";

/** Clients that are generated from the OpenAPI document. The generators are installed first, from this folder's own lockfile. */
export default defineConfig({
  test: {
    ...usual,
    include: ["tests/clients/**/*.test.ts"],
    globalSetup: [...usual.globalSetup, "tests/clients/install-generators.ts"],
  },
});
