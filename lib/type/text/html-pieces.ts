/** Returns the index after a tag or comment that starts at `start`. */
function tagEnd(html: string, start: number): number {
  const endAfter = (text: string, from: number) => {
    const found = html.indexOf(text, from);
    return found < 0 ? html.length : found + text.length;
  };
  if (html.startsWith("<!--", start)) return endAfter("-->", start + 4);
  for (let at = start + 1; at < html.length; at++) {
    const character = html[at];
    if (character === ">") return at + 1;
    if (character === '"' || character === "'") at = endAfter(character, at + 1) - 1;
  }
  return html.length;
}

export type Piece = { isTag: boolean; html: string };

/** Splits a document into tags (with comments) and the stretches of text between them. */
export function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  const tagStart = /<[a-zA-Z/!?]/g;
  let at = 0;
  for (let match = tagStart.exec(html); match; match = tagStart.exec(html)) {
    if (match.index > at) pieces.push({ isTag: false, html: html.slice(at, match.index) });
    at = tagEnd(html, match.index);
    tagStart.lastIndex = at;
    pieces.push({ isTag: true, html: html.slice(match.index, at) });
  }
  if (at < html.length) pieces.push({ isTag: false, html: html.slice(at) });
  return pieces;
}
