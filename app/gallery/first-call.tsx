"use client";

import { CodeBlock } from "../ui/content/code-block.tsx";
import { type ServiceOrigin, useServiceOrigin } from "../ui/page/use-service-origin.ts";

/** Quotes text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that renders the picture beside it. */
export function FirstCall({ origin, body, hasToken }: { origin: ServiceOrigin; body: string; hasToken: boolean }) {
  const code = [
    `curl ${useServiceOrigin(origin)}/api/service/images/render \\`,
    ...(hasToken ? ['  -H "Authorization: Bearer $PLATEN_TOKEN" \\'] : []),
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(body.replaceAll("\n", "\n  "))} \\`,
    "  -o picture.png",
  ].join("\n");
  return <CodeBlock label="Command that renders the picture" code={code} wraps />;
}
