export type TokenKind = "plain" | "string" | "comment" | "word";

export type CodeToken = { kind: TokenKind; text: string };

const KINDS: TokenKind[] = ["string", "comment", "word"];

/**
 * Strings come first, because a comment sign in a string starts no comment. Sufficient only for the code of the
 * snippets.
 */
const PARTS =
  /("(?:[^"\\\n]|\\.)*"|`[^`]*`|'[^'\n]*')|((?:^|(?<=\s))(?:#|\/\/).*$)|\b(import|from|const|await|if|throw|new|package|func|return|defer|require|unless|try|except|raise|true|false|True|False|curl|abort)\b/gm;

/** Splits code into tokens for highlighting. Joined, they are the code again. */
export function codeTokens(code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of code.matchAll(PARTS)) {
    if (match.index > end) tokens.push({ kind: "plain", text: code.slice(end, match.index) });
    const kind = KINDS[match.slice(1).findIndex((part) => part !== undefined)] ?? "plain";
    tokens.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ kind: "plain", text: code.slice(end) });
  return tokens;
}
