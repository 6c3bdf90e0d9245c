import type { Tokens } from "marked";
import { Badge, type BadgeTone } from "../../ui/content/badge.tsx";
import { Inline } from "./inline.tsx";
import { textOf } from "./parse.ts";

const TONES: Record<string, BadgeTone> = { GET: "info", POST: "good", PUT: "warn", PATCH: "warn", DELETE: "danger" };

const OPERATION = /^([A-Z]+) (\/\S*)$/;
const CODE = /^[a-z]+(?:_[a-z]+)*$/;

function Words({ token }: { token: Tokens.Heading }) {
  const text = textOf(token);
  const [, method, path] = OPERATION.exec(text) ?? [];
  if (method !== undefined && path !== undefined) {
    return (
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone={TONES[method] ?? "plain"}>{method}</Badge>{" "}
        <span className="min-w-0 font-mono text-[0.9375rem] [overflow-wrap:anywhere]">{path}</span>
      </span>
    );
  }
  return CODE.test(text) ? <span className="font-mono">{text}</span> : <Inline tokens={token.tokens} />;
}

const LOOKS: Record<number, string> = {
  2: "mt-14 mb-4 border-line border-b pb-2.5 font-display font-semibold text-xl tracking-tight first:mt-0",
  3: "mt-10 mb-3 font-semibold text-lg",
};

/** A heading that links to itself. */
export function LinkedHeading({ token, id }: { token: Tokens.Heading; id: string }) {
  const Name = token.depth <= 2 ? "h2" : token.depth === 3 ? "h3" : "h4";
  return (
    <Name id={id} className={`scroll-mt-6 ${LOOKS[token.depth] ?? "mt-8 mb-2 font-semibold"}`}>
      <a href={`#${id}`} className="decoration-1 decoration-edge underline-offset-4 hover:underline">
        <Words token={token} />
      </a>
    </Name>
  );
}
