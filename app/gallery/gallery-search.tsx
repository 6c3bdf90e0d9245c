import Link from "next/link";
import { useMemo } from "react";
import {
  BATCH_SIZE,
  countShapes,
  countSizes,
  countTags,
  type GalleryFilter,
  isFiltering,
  MAX_SEARCH_CHARS,
} from "./gallery-filter.ts";
import type { GalleryItem } from "./gallery-item.ts";
import { SizeChoice } from "./size-choice.tsx";
import { TagChoice } from "./tag-choice.tsx";

type GallerySearchProps = {
  items: GalleryItem[];
  filter: GalleryFilter;
  onChange: (change: Partial<GalleryFilter>) => void;
  /** How many templates are found, in words. */
  found: string;
};

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="relative min-w-0 flex-1">
      <span className="sr-only">Search the templates</span>
      <svg
        viewBox="0 0 16 16"
        aria-hidden="true"
        className="pointer-events-none absolute top-3 left-3 size-4 fill-none stroke-[1.5] stroke-soft"
      >
        <circle cx="7" cy="7" r="4.25" />
        <path d="m10.25 10.25 3.5 3.5" />
      </svg>
      <input
        type="search"
        name="q"
        value={value}
        maxLength={MAX_SEARCH_CHARS}
        onChange={(event) => onChange(event.target.value)}
        placeholder="Search by name, tag or size"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        className="control pl-9 [&::-webkit-search-cancel-button]:saturate-0"
      />
    </label>
  );
}

/** What narrows the gallery down: at once with a script, and as a form without one. */
export function GallerySearch({ items, filter, onChange, found }: GallerySearchProps) {
  const counts = useMemo(
    () => ({ tags: countTags(items), shapes: countShapes(items), sizes: countSizes(items) }),
    [items],
  );
  const choose = (change: Partial<GalleryFilter>) => onChange({ ...change, show: BATCH_SIZE });
  return (
    <search>
      <form action="/" method="get" onSubmit={(event) => event.preventDefault()} className="flex flex-col gap-3">
        <div className="flex flex-col gap-3 sm:flex-row">
          <SearchField value={filter.q} onChange={(q) => choose({ q })} />
          <SizeChoice
            shapes={counts.shapes}
            sizes={counts.sizes}
            chosen={filter.size}
            onChange={(size) => choose({ size })}
          />
          <noscript>
            <button type="submit" className="min-h-10 rounded-md border border-ink bg-ink px-4 text-paper">
              Search
            </button>
          </noscript>
        </div>
        <TagChoice tags={counts.tags} chosen={filter.tags} onChange={(tags) => choose({ tags })} />
        <p className="flex min-h-6 flex-wrap items-baseline gap-x-4 text-sm text-soft">
          <span role="status" className="tabular-nums">
            {found}
          </span>
          {isFiltering(filter) && (
            <Link
              href="/"
              prefetch={false}
              replace
              scroll={false}
              className="link"
              onNavigate={(event) => {
                event.preventDefault();
                choose({ q: "", tags: [], size: "" });
              }}
            >
              Show all
            </Link>
          )}
        </p>
      </form>
    </search>
  );
}
