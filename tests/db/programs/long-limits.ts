import "#scripts/launch/quick-imports.mjs";
import { registerHooks } from "node:module";

/** Imported before a program, this gives it the long database limits of `tests/setup.ts`, so that it works on a busy machine. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/lib/db/database-limits.ts")) return loaded;
    return {
      ...loaded,
      source: String(loaded.source).replaceAll(/((?:QUERY|CONNECT|START)_TIMEOUT_MS) = [\d_]+/g, "$1 = 30_000"),
    };
  },
});
