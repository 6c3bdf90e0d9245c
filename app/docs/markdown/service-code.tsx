"use client";

import { CodeBlock } from "../../ui/code-block.tsx";
import { type KnownOrigin, useOrigin } from "../../ui/use-origin.ts";

type ServiceCodeProps = { code: string; origin: KnownOrigin; label: string; hasCopy: boolean };

/** Code that calls this service at the origin that the reader's browser sees. */
export function ServiceCode({ code, origin, ...rest }: ServiceCodeProps) {
  const here = useOrigin(origin);
  // A longer port number is another origin.
  const places = new RegExp(`${origin.fallback}(?!\\d)`, "g");
  return <CodeBlock {...rest} code={code.replace(places, () => here)} />;
}
