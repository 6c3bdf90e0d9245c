import { defineConfig } from "vitest/config";

/** What is read off the sources alone, and so belongs to `npm run check`: nothing is built, and no browser or database started. */
export default defineConfig({ test: { include: ["tests/source/**/*.test.ts"] } });
