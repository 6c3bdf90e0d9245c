export type TokenKind = "plain" | "string" | "comment" | "word";

export type CodeToken = { kind: TokenKind; text: string };

const KINDS: TokenKind[] = ["string", "comment", "word"];

/** Strings first: a sign of a comment in one begins none. Enough for the code that is written here, and for no other. */
const PARTS =
  /("(?:[^"\\\n]|\\.)*"|`[^`]*`|'[^'\n]*')|((?:^|(?<=\s))(?:#|\/\/).*$)|\b(import|from|const|await|if|throw|new|package|func|return|defer|require|unless|try|except|raise|true|false|True|False|curl|abort)\b/gm;

/** Code as parts with a meaning, for the eye. Together they are the code again. */
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
