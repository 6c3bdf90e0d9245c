import GithubSlugger from "github-slugger";
import { marked, type Token } from "marked";

export type Heading = { depth: number; text: string; id: string };

export type ParsedMarkdown = {
  tokens: Token[];
  headings: Heading[];
  /** The id of a heading, and the name of a code block or table for screen readers. All are unique. */
  names: Map<Token, string>;
};

const LANGUAGES: Record<string, string> = { sh: "Commands", json: "JSON", html: "HTML", css: "CSS", nginx: "nginx" };

/** The text of a token without its marks. */
export function textOf(token: Token): string {
  if ("tokens" in token && token.tokens) return token.tokens.map(textOf).join("");
  return "text" in token ? String(token.text) : token.raw;
}

/** The name of a code block: the words after the language, or else the heading above. */
function codeName(info: string, heading: string): string {
  const [language = "", ...words] = info.split(" ");
  return words.length > 0 ? words.join(" ") : `${LANGUAGES[language] ?? "Code"}: ${heading}`;
}

/** Parses Markdown without a title. HTML in it counts as text. */
export function parseMarkdown(text: string): ParsedMarkdown {
  const tokens = marked.lexer(text);
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  const names = new Map<Token, string>();
  const counts = new Map<string, number>();
  const unique = (name: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
  marked.walkTokens(tokens, (token) => {
    const under = headings.at(-1)?.text ?? "Introduction";
    if (token.type === "heading") {
      const heading = { depth: token.depth as number, text: textOf(token), id: "" };
      heading.id = slugger.slug(heading.text);
      headings.push(heading);
      names.set(token, heading.id);
    }
    if (token.type === "code") names.set(token, unique(codeName(String(token.lang ?? ""), under)));
    if (token.type === "table") names.set(token, unique(under));
  });
  return { tokens, headings, names };
}
