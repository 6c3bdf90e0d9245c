import { defineConfig } from "vitest/config";
import { usual } from "../../vitest.config.ts";

/** Copying 600 MB, or building an image, takes minutes on a busy machine. */
const HOOK_TIMEOUT_MS = 3_600_000;

/** Tests of what is shipped: the standalone folder, and the container image, which needs buildah, debootstrap and runc. */
export default defineConfig({
  test: {
    ...usual,
    include: ["tests/image/**/*.test.ts"],
    maxWorkers: 1,
    hookTimeout: HOOK_TIMEOUT_MS,
  },
});
