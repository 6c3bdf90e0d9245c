import { processState } from "#lib/process-state.ts";

type Shared = {
  /** Process groups of living browsers and their folders. */
  browsers: Map<number, string>;
  /** Data folders in which leftovers of dead servers were looked for. */
  swept: Set<string>;
  /** The machine refused the sandbox once; it will again. */
  sandboxRefused: boolean;
};

export const shared = processState(
  "render",
  (): Shared => ({ browsers: new Map(), swept: new Set(), sandboxRefused: false }),
);
