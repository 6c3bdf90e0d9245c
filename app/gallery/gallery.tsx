"use client";

import Link from "next/link";
import { useMemo } from "react";
import { buttonLook } from "../ui/button-look.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { GalleryCard } from "./gallery-card.tsx";
import { BATCH_SIZE, filterGallery, galleryHref, isFiltering } from "./gallery-filter.ts";
import type { GalleryItem } from "./gallery-item.ts";
import { GallerySearch } from "./gallery-search.tsx";
import { useGalleryFilter } from "./use-gallery-filter.ts";

/** As many pictures as a first screen has; the others come when they are scrolled to. */
const FIRST_PICTURES = 4;

/** Fewer templates than these are seen at a glance, and a search would only be in the way. */
const SEARCHED_FROM = 4;

function countTemplates(count: number): string {
  return `${count} ${count === 1 ? "template" : "templates"}`;
}

/** Every template with its picture, and the search through them. */
export function Gallery({ items }: { items: GalleryItem[] }) {
  const [filter, change] = useGalleryFilter();
  const found = useMemo(() => filterGallery(items, filter), [items, filter]);
  const rest = found.length - filter.show;
  const more = { ...filter, show: filter.show + BATCH_SIZE };
  const total = countTemplates(items.length);
  return (
    <>
      {(items.length >= SEARCHED_FROM || isFiltering(filter)) && (
        <GallerySearch
          items={items}
          filter={filter}
          onChange={change}
          found={isFiltering(filter) ? `${found.length} of ${total}` : total}
        />
      )}
      {found.length === 0 && (
        <div className="mt-6">
          <EmptyState title="Nothing is like that">
            No template has all of it. Fewer words or fewer tags find more.
          </EmptyState>
        </div>
      )}
      <ul className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-x-6 gap-y-10">
        {found.slice(0, filter.show).map((item, at) => (
          <GalleryCard key={item.slug} item={item} isFirst={at < FIRST_PICTURES} />
        ))}
      </ul>
      {rest > 0 && (
        <p className="mt-10 flex justify-center">
          <Link
            href={galleryHref(more)}
            prefetch={false}
            scroll={false}
            className={buttonLook({ tone: "secondary", size: "medium" })}
            onNavigate={(event) => {
              event.preventDefault();
              change(more);
            }}
          >
            Show {Math.min(rest, BATCH_SIZE)} more of {rest}
          </Link>
        </p>
      )}
    </>
  );
}
