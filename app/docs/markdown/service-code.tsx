"use client";

import { CodeBlock } from "../../ui/content/code-block.tsx";
import { type ServiceOrigin, useServiceOrigin } from "../../ui/page/use-service-origin.ts";

type ServiceCodeProps = { code: string; origin: ServiceOrigin; label: string; hasCopy: boolean };

/** Code that calls this service. After hydration it contains the origin that the browser uses. */
export function ServiceCode({ code, origin, ...rest }: ServiceCodeProps) {
  const here = useServiceOrigin(origin);
  // `localhost:3000` must not match in `localhost:30001`.
  const places = new RegExp(`${origin.fallback}(?!\\d)`, "g");
  return <CodeBlock {...rest} code={code.replace(places, () => here)} />;
}
