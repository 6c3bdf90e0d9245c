"use client";

import { CodeBlock } from "../../ui/content/code-block.tsx";
import { type ServiceOrigin, useServiceOrigin } from "../../ui/page/use-service-origin.ts";

type ServiceCodeProps = { code: string; origin: ServiceOrigin; label: string; hasCopy: boolean };

/** Code that calls this service at the origin that the reader's browser sees. */
export function ServiceCode({ code, origin, ...rest }: ServiceCodeProps) {
  const here = useServiceOrigin(origin);
  // A longer port number is another origin.
  const places = new RegExp(`${origin.fallback}(?!\\d)`, "g");
  return <CodeBlock {...rest} code={code.replace(places, () => here)} />;
}
