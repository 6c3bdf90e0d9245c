import type { Token, Tokens } from "marked";
import { CodeBlock } from "../../ui/content/code-block.tsx";
import { withOffsets } from "../../ui/content/text-offsets.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import type { ServiceOrigin } from "../../ui/page/use-service-origin.ts";
import { EXAMPLE } from "../content/table.ts";
import { LinkedHeading } from "./heading.tsx";
import { Inline } from "./inline.tsx";
import { MarkdownTable } from "./markdown-table.tsx";
import type { ParsedMarkdown } from "./parse.ts";
import { ServiceCode } from "./service-code.tsx";

type Context = Pick<ParsedMarkdown, "names"> & { origin: ServiceOrigin };

function List({ token, context }: { token: Tokens.List; context: Context }) {
  const Name = token.ordered ? "ol" : "ul";
  return (
    <Name className={`my-4 flex flex-col gap-2 pl-5 marker:text-soft ${token.ordered ? "list-decimal" : "list-disc"}`}>
      {withOffsets(token.items, ({ raw }) => raw).map(({ part, offset }) => (
        <li key={offset} className="pl-1">
          <Blocks tokens={part.tokens} context={context} />
        </li>
      ))}
    </Name>
  );
}

function Code({ token, name, origin }: { token: Tokens.Code; name: string; origin: ServiceOrigin }) {
  const shown = { code: token.text, label: name, hasCopy: !name.startsWith(EXAMPLE) };
  const isForBrowser = origin.configured === undefined && token.text.includes(origin.fallback);
  return isForBrowser ? <ServiceCode {...shown} origin={origin} /> : <CodeBlock {...shown} />;
}

function Block({ token, context }: { token: Token; context: Context }) {
  const name = context.names.get(token) ?? "";
  switch (token.type) {
    case "heading":
      return <LinkedHeading token={token as Tokens.Heading} id={name} />;
    case "paragraph":
      return (
        <p className="my-4">
          <Inline tokens={(token as Tokens.Paragraph).tokens} />
        </p>
      );
    case "code":
      return (
        <div className="my-5">
          <Code token={token as Tokens.Code} name={name} origin={context.origin} />
        </div>
      );
    case "table":
      return <MarkdownTable token={token as Tokens.Table} name={name} />;
    case "list":
      return <List token={token as Tokens.List} context={context} />;
    case "blockquote":
      return (
        <Notice>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} context={context} />
        </Notice>
      );
    case "space":
    case "def":
      return null;
    default:
      return <Inline tokens={[token]} />;
  }
}

function Blocks({ tokens, context }: { tokens: Token[]; context: Context }) {
  return withOffsets(tokens, ({ raw }) => raw).map(({ part, offset }) => (
    <Block key={offset} token={part} context={context} />
  ));
}

/** A page's Markdown as React elements. */
export function Markdown({ parsed, origin }: { parsed: ParsedMarkdown; origin: ServiceOrigin }) {
  return <Blocks tokens={parsed.tokens} context={{ names: parsed.names, origin }} />;
}
