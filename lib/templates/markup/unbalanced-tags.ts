import { type Token, Tokenizer } from "parse5";
import { MAX_TOLD } from "../faults/first-faults.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { lineAt } from "../template-files.ts";
import { maskLiquid } from "./mask-liquid.ts";
import { type Branch, withOneBranch } from "./one-branch.ts";

/** Elements without content, https://html.spec.whatwg.org/multipage/syntax.html#void-elements */
const VOID_ELEMENTS = "area base br col embed hr img input link meta source track wbr".split(" ");

/** Elements whose end tag may be left out, https://html.spec.whatwg.org/multipage/syntax.html#optional-tags */
const OPEN_ENDED = "p li dt dd rt rp option optgroup caption colgroup thead tbody tfoot tr td th".split(" ");

/** In these, `<path/>` is a whole element. In HTML, the slash means nothing. */
const XML_ELEMENTS = ["svg", "math"];

type Tag = { name: string; offset: number; isEnd: boolean; isSelfClosing: boolean };

/** What the parser says of a tag in which a quote is missing: the rest of the file, or of the next tag, is a part of it. */
const OPEN_TAG = ["eof-in-tag", "unexpected-character-in-attribute-name"];

class TagReader extends Tokenizer {
  get tagOffset(): number | undefined {
    return this.currentToken?.location?.startOffset;
  }
}

/** The tags of a markup, and the offset of the first one that does not end where it should. */
function tagsOf(html: string): { tags: Tag[]; openAt: number | undefined } {
  const tags: Tag[] = [];
  let openAt: number | undefined;
  const ignore = () => undefined;
  const tag = (isEnd: boolean) => (token: Token.TagToken) => {
    const { tagName: name, selfClosing: isSelfClosing, location } = token;
    tags.push({ name, offset: location?.startOffset ?? 0, isEnd, isSelfClosing });
  };
  const reader = new TagReader(
    { sourceCodeLocationInfo: true },
    {
      onParseError: ({ code }) => {
        if (OPEN_TAG.includes(code)) openAt ??= reader.tagOffset;
      },
      onStartTag: tag(false),
      onEndTag: tag(true),
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  reader.write(html, true);
  return { tags, openAt };
}

class Balance {
  readonly faults: FileFault[] = [];
  readonly #open: Tag[] = [];
  /** Names of the elements that ended with another one. Their own end tag may follow, and is no second fault. */
  readonly #cut: string[] = [];
  /** How many of the open elements are `<svg>` or `<math>`. */
  #xmlDepth = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  start(tag: Tag): void {
    const isXml = XML_ELEMENTS.includes(tag.name);
    if (VOID_ELEMENTS.includes(tag.name) || ((isXml || this.#xmlDepth > 0) && tag.isSelfClosing)) return;
    this.#open.push(tag);
    if (isXml) this.#xmlDepth++;
  }

  end({ name, offset }: Tag): void {
    const at = this.#open.findLastIndex((tag) => tag.name === name);
    if (at < 0) this.#endNothing(name, offset);
    else {
      for (const tag of this.#open.slice(at + 1)) {
        this.#requireEnd(tag, `before </${name}>`);
        this.#cut.push(tag.name);
      }
      this.#xmlDepth -= this.#open.slice(at).filter((tag) => XML_ELEMENTS.includes(tag.name)).length;
      this.#open.length = at;
    }
  }

  #endNothing(name: string, offset: number): void {
    const at = this.#cut.lastIndexOf(name);
    if (at >= 0) this.#cut.splice(at, 1);
    else this.#report(offset, `Got </${name}>, but no <${name}> is open. Remove it.`);
  }

  finish(): void {
    for (const tag of this.#open) this.#requireEnd(tag, "after its content");
  }

  #requireEnd({ name, offset, isSelfClosing }: Tag, where: string): void {
    if (OPEN_ENDED.includes(name)) return;
    const got = isSelfClosing ? `Got <${name}/>, which HTML reads as <${name}>` : `Got <${name}> without its end`;
    this.#report(offset, `${got}. Write </${name}> ${where}.`);
  }

  #report(offset: number, reason: string): void {
    this.faults.push({ file: MARKUP_FILE, line: lineAt(this.#source, offset), reason });
  }
}

function faultsWith(source: string, { kept, ignored }: { kept: Branch; ignored: string[] }): FileFault[] {
  const balance = new Balance(source);
  const { tags, openAt } = tagsOf(maskLiquid(withOneBranch(source, kept)));
  // What follows from the missing quote is no fault of its own.
  if (openAt !== undefined) {
    const reason = "Got a tag that does not end. Close the quote of its last attribute, and write > after it.";
    return [{ file: MARKUP_FILE, line: lineAt(source, openAt), reason }];
  }
  for (const tag of tags) {
    // Further faults are most often consequences of the first ones.
    if (balance.faults.length >= MAX_TOLD) return balance.faults;
    if (ignored.includes(tag.name)) continue;
    if (tag.isEnd) balance.end(tag);
    else balance.start(tag);
  }
  balance.finish();
  return balance.faults;
}

/**
 * Finds elements that are not closed, or in the wrong order, and end tags without an element. A browser accepts them, and puts what
 * follows into another element than the author meant.
 * @param ignored names of elements that have a fault of their own
 */
export function unbalancedTags(source: string, ignored: string[]): FileFault[] {
  const first = faultsWith(source, { kept: "first", ignored });
  const isNew = ({ line, reason }: FileFault) => !first.some((fault) => fault.line === line && fault.reason === reason);
  return [...first, ...faultsWith(source, { kept: "last", ignored }).filter(isNew)];
}
