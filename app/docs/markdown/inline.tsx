import type { Token, Tokens } from "marked";
import type { PropsWithChildren } from "react";
import { Picture } from "../../ui/content/picture.tsx";
import { withOffsets } from "../../ui/content/text-offsets.ts";
import { PageLink } from "../../ui/page/page-link.tsx";

/** Paths of routes, which Next must not prefetch as pages. */
const ROUTE = /^\/(?:api\/|healthz|readyz|metrics|llms\.txt|docs(?:\/.*)?\.md)/;

/** A path that browsers do not read as another host: it has no `//` or `/\\` prefix and no control character. */
const OWN_PATH = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** A link. Anything but a path of this service or a web address stays text. */
export function MarkdownLink({ href, children }: PropsWithChildren<{ href: string }>) {
  if (href.startsWith("#") || ROUTE.test(href)) {
    return (
      <a className="link" href={href}>
        {children}
      </a>
    );
  }
  if (OWN_PATH.test(href)) {
    return (
      <PageLink className="link" href={href}>
        {children}
      </PageLink>
    );
  }
  if (!/^https?:\/\//.test(href)) return <>{children}</>;
  return (
    <a className="link" href={href} rel="noreferrer">
      {children}
    </a>
  );
}

/** A picture whose title is its size in pixels. Without a size it would move the page, so only its text is shown. */
function SizedPicture({ token: { href, text, title } }: { token: Tokens.Image }) {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(title ?? "") ?? [];
  if (width === undefined || height === undefined) return text;
  return (
    <Picture
      src={href}
      alt={text}
      width={Number(width)}
      height={Number(height)}
      unoptimized
      className="h-auto max-h-80 w-auto max-w-full rounded-md border border-line bg-sunken"
    />
  );
}

function InlineToken({ token }: { token: Token }) {
  const inside = () => <Inline tokens={"tokens" in token ? token.tokens : undefined} />;
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{inside()}</strong>;
    case "em":
      return <em>{inside()}</em>;
    case "codespan":
      return (
        <code className="rounded-sm bg-sunken px-1 py-px font-mono text-[0.875em] [box-decoration-break:clone]">
          {(token as Tokens.Codespan).text}
        </code>
      );
    case "link":
      return <MarkdownLink href={(token as Tokens.Link).href}>{inside()}</MarkdownLink>;
    case "image":
      return <SizedPicture token={token as Tokens.Image} />;
    case "br":
      return <br />;
    default:
      return "tokens" in token && token.tokens ? inside() : "text" in token ? String(token.text) : token.raw;
  }
}

/** Inline Markdown. */
export function Inline({ tokens = [] }: { tokens: Token[] | undefined }) {
  return withOffsets(tokens, ({ raw }) => raw).map(({ part, offset }) => <InlineToken key={offset} token={part} />);
}
