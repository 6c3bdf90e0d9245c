import { type ComponentType, createContext, useContext } from "react";
import { PageLink } from "../ui/page/page-link.tsx";
import type { GalleryItem } from "./gallery-filter.ts";
import { Thumbnail } from "./thumbnail.tsx";

/** The aspect ratio of the background of a picture, and the share of its width that the picture takes. */
const MAT_RATIO = 4 / 3;
const MAT_SHARE = 0.86;

/**
 * The width of a card by that of the window: the grid has as many columns of 18 rem as fit. The limits include the width of a
 * scroll bar, which takes a column away.
 */
const CARD_WIDTHS = [
  { upTo: "41.5rem", width: "(100vw - 2rem)" },
  { upTo: "61rem", width: "(50vw - 2.25rem)" },
  { upTo: "81rem", width: "(33.4vw - 2rem)" },
  { width: "19.125rem" },
];

/** The `sizes` of a picture. One that is taller than its background is narrower than it. */
function sizesOf(ratio: number): string {
  const share = MAT_SHARE * Math.min(1, ratio / MAT_RATIO);
  return CARD_WIDTHS.map(({ upTo, width }) => {
    const condition = upTo ? `(max-width: ${upTo}) ` : "";
    return `${condition}calc(${width} * ${share.toFixed(3)})`;
  }).join(", ");
}

/** What a card shows about its template in a corner of the picture. Only development has something to show. */
export const CardNote = createContext<ComponentType<{ slug: string }> | null>(null);

type GalleryCardProps = {
  item: GalleryItem;
  isFirst: boolean;
  /** Whether it is below the heading of its family. */
  isInFamily: boolean;
};

/** A template in the gallery. */
export function GalleryCard({ item, isFirst, isInFamily }: GalleryCardProps) {
  const Heading = isInFamily ? "h4" : "h3";
  const Note = useContext(CardNote);
  const { slug, title, width, height, tags, variantCount } = item;
  const ratio = width / height;
  return (
    <li className="group relative min-w-0">
      <div className="grid aspect-4/3 place-items-center rounded-lg border border-line bg-sunken transition-colors group-hover:border-edge">
        <div className="grid h-[86%] w-[86%] place-items-center">
          <Thumbnail
            slug={slug}
            width={width}
            height={height}
            sizes={sizesOf(ratio)}
            isFirst={isFirst}
            className={`rounded-[3px] shadow-print ${ratio >= MAT_RATIO ? "w-full" : "h-full"}`}
          />
        </div>
      </div>
      <div className="mt-3 flex items-baseline justify-between gap-3">
        <Heading className="min-w-0 font-display font-semibold text-lg leading-snug">
          <PageLink
            href={`/templates/${slug}`}
            className="decoration-1 decoration-accent underline-offset-4 [overflow-wrap:anywhere] after:absolute after:-inset-2 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring group-hover:underline"
          >
            {title}
          </PageLink>
        </Heading>
        <span className="flex-none text-[0.8125rem] text-soft tabular-nums">
          {variantCount} {variantCount === 1 ? "variant" : "variants"}
        </span>
      </div>
      <p className="mt-0.5 text-[0.8125rem] text-soft tabular-nums">
        <code className="font-mono [overflow-wrap:anywhere]">{slug}</code>
        <span className="whitespace-nowrap">
          <span className="mx-1.5">·</span>
          {width} × {height}
        </span>
      </p>
      {tags.length > 0 && <p className="mt-1 truncate text-[0.8125rem] text-soft">{tags.join(", ")}</p>}
      {Note && <Note slug={slug} />}
    </li>
  );
}
