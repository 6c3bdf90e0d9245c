import type { Token, Tokens } from "marked";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Notice } from "../../ui/notice.tsx";
import { EXAMPLE } from "../content/table.ts";
import { LinkedHeading } from "./heading.tsx";
import { Inline } from "./inline.tsx";
import { MarkdownTable } from "./markdown-table.tsx";
import type { ParsedMarkdown } from "./parse.ts";

type Names = ParsedMarkdown["names"];

function List({ token, names }: { token: Tokens.List; names: Names }) {
  const Name = token.ordered ? "ol" : "ul";
  return (
    <Name className={`my-4 flex flex-col gap-2 pl-5 marker:text-soft ${token.ordered ? "list-decimal" : "list-disc"}`}>
      {token.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own, and their order never changes.
        <li key={`${at}-${item.text.length}`} className="pl-1">
          <Blocks tokens={item.tokens} names={names} />
        </li>
      ))}
    </Name>
  );
}

function Block({ token, names }: { token: Token; names: Names }) {
  const name = names.get(token) ?? "";
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
          <CodeBlock label={name} code={(token as Tokens.Code).text} hasCopy={!name.startsWith(EXAMPLE)} />
        </div>
      );
    case "table":
      return <MarkdownTable token={token as Tokens.Table} name={name} />;
    case "list":
      return <List token={token as Tokens.List} names={names} />;
    case "blockquote":
      return (
        <Notice>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} names={names} />
        </Notice>
      );
    case "space":
    case "def":
      return null;
    default:
      return <Inline tokens={[token]} />;
  }
}

function Blocks({ tokens, names }: { tokens: Token[]; names: Names }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own, and their order never changes.
  return tokens.map((token, at) => <Block key={`${at}-${token.type}`} token={token} names={names} />);
}

/** A page's Markdown with the looks of the pages. */
export function Markdown({ parsed: { tokens, names } }: { parsed: ParsedMarkdown }) {
  return <Blocks tokens={tokens} names={names} />;
}
