"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { buttonLook } from "../ui/form/button.tsx";
import { PageLink } from "../ui/page/page-link.tsx";
import { GalleryCard } from "./gallery-card.tsx";
import type { GalleryItem } from "./gallery-filter.ts";
import {
  BATCH_SIZE,
  correctSearch,
  filterGallery,
  type GalleryFamily,
  type GalleryFilter,
  galleryHref,
  groupByFamily,
  isFiltering,
  readFilter,
} from "./gallery-filter.ts";
import { GallerySearch } from "./gallery-search.tsx";

/** How long typing has to pause before the address changes: browsers limit how often it may. */
const ADDRESS_DELAY_MS = 250;

/** The filter, synchronised with the address of the page in both directions. */
function useGalleryFilter(): [GalleryFilter, (change: Partial<GalleryFilter>) => void] {
  const params = useSearchParams();
  const requested = galleryHref(readFilter(new URLSearchParams(params)));
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(params)));
  const written = useRef(requested);
  useEffect(() => {
    if (requested === written.current) return;
    written.current = requested;
    setFilter(readFilter(new URL(requested, window.location.origin).searchParams));
  }, [requested]);
  useEffect(() => {
    const href = galleryHref(filter);
    if (href === written.current) return;
    const cancel = () => {
      clearTimeout(timer);
      document.removeEventListener("click", write, { capture: true });
    };
    const write = () => {
      // Only once: changing the address during a navigation would cancel that navigation.
      cancel();
      written.current = href;
      window.history.replaceState(null, "", href);
    };
    const timer = setTimeout(write, ADDRESS_DELAY_MS);
    // A click may open another page. When the reader goes back, the address must contain the filter.
    document.addEventListener("click", write, { capture: true });
    return cancel;
  }, [filter]);
  return [filter, (change) => setFilter((before) => ({ ...before, ...change }))];
}

/** The pictures of the first screen. The others load when they are scrolled to. */
const FIRST_PICTURES = 4;

/** The minimum number of templates for which the search is shown. */
const SEARCH_MIN_TEMPLATES = 4;

function countTemplates(count: number): string {
  return `${count} ${count === 1 ? "template" : "templates"}`;
}

type NothingFoundProps = {
  items: GalleryItem[];
  filter: GalleryFilter;
  onChange: (change: Partial<GalleryFilter>) => void;
};

/** Says what to do when no template matches: often a word is misspelt, or a tag too many is chosen. */
function NothingFound({ items, filter, onChange }: NothingFoundProps) {
  const q = useMemo(() => correctSearch(items, filter), [items, filter]);
  return (
    <div className="mt-6">
      <EmptyState
        title="No matching templates"
        action={
          q !== undefined && (
            <PageLink
              href={galleryHref({ ...filter, q })}
              scroll={false}
              className={buttonLook({ tone: "secondary", size: "medium" })}
              onNavigate={(event) => {
                event.preventDefault();
                onChange({ q });
              }}
            >
              Search for “{q}”
            </PageLink>
          )
        }
      >
        {filter.tags.length > 0 || filter.size !== ""
          ? "Try fewer words or tags, or another size."
          : "Try fewer or other words."}
      </EmptyState>
    </div>
  );
}

/** The cards of a family, under its name where there are several. */
function Family({ family: { name, items }, isFirst }: { family: GalleryFamily; isFirst: boolean }) {
  const id = useId();
  const cards = (
    <ul className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-x-6 gap-y-10">
      {items.map((item, at) => (
        <GalleryCard key={item.slug} item={item} isFirst={isFirst && at < FIRST_PICTURES} isInFamily={name !== ""} />
      ))}
    </ul>
  );
  if (name === "") return cards;
  return (
    <section aria-labelledby={id} className="mt-10 first-of-type:mt-6">
      <h3 id={id} className="font-display font-semibold text-soft text-xl">
        {name}
      </h3>
      {cards}
    </section>
  );
}

/** All templates by family, with a search. */
export function Gallery({ items }: { items: GalleryItem[] }) {
  const [filter, change] = useGalleryFilter();
  const found = useMemo(
    () => groupByFamily(filterGallery(items, filter)).flatMap((family) => family.items),
    [items, filter],
  );
  const families = useMemo(() => groupByFamily(found.slice(0, filter.show)), [found, filter.show]);
  const remaining = found.length - filter.show;
  const more = { ...filter, show: filter.show + BATCH_SIZE };
  const total = countTemplates(items.length);
  const result = useRef<HTMLElement>(null);
  const correct = (corrected: Partial<GalleryFilter>) => {
    result.current?.focus();
    change(corrected);
  };
  return (
    <>
      {(items.length >= SEARCH_MIN_TEMPLATES || isFiltering(filter)) && (
        <GallerySearch
          items={items}
          filter={filter}
          onChange={change}
          result={result}
          found={isFiltering(filter) ? `${found.length} of ${total}` : total}
        />
      )}
      {found.length === 0 && <NothingFound items={items} filter={filter} onChange={correct} />}
      {families.map((family, at) => (
        <Family key={family.name} family={family} isFirst={at === 0} />
      ))}
      {remaining > 0 && (
        <p className="mt-10 flex justify-center">
          <PageLink
            href={galleryHref(more)}
            scroll={false}
            className={buttonLook({ tone: "secondary", size: "medium" })}
            onNavigate={(event) => {
              event.preventDefault();
              change(more);
            }}
          >
            Show {Math.min(remaining, BATCH_SIZE)} more of {remaining}
          </PageLink>
        </p>
      )}
    </>
  );
}
