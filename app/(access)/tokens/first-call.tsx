"use client";

import { CodeBlock } from "../../ui/code-block.tsx";
import { type KnownOrigin, useOrigin } from "../../ui/use-origin.ts";

/** What the page knows of its service. */
export type CallFacts = {
  origin: KnownOrigin;
  /** A template that renders without any data. */
  template: string;
};

/** The call that makes a picture with a token, or with what the shell puts in its place, ready to be pasted. */
export function FirstCall({ token, origin: known, template }: CallFacts & { token: string }) {
  const origin = useOrigin(known);
  const code = [
    `curl ${origin}/api/service/images/render \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify({ template })}' \\`,
    "  -o picture.png",
  ].join("\n");
  return <CodeBlock label="The call that renders a picture" code={code} wraps />;
}
