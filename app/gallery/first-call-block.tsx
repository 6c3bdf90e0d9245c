"use client";

import { CodeBlock } from "../ui/code-block.tsx";
import { type KnownOrigin, useOrigin } from "../ui/use-origin.ts";
import { firstCall } from "./first-call.ts";

/** The call that draws the picture beside it, to where the reader has found the service. */
export function FirstCallBlock({ origin, ...rest }: { origin: KnownOrigin; body: string; hasToken: boolean }) {
  const code = firstCall({ ...rest, origin: useOrigin(origin) });
  return <CodeBlock label="The call that draws the picture" code={code} wraps />;
}
