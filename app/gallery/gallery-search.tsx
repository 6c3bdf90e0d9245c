import { type RefObject, useMemo } from "react";
import { PageLink } from "../ui/page/page-link.tsx";
import type { GalleryItem } from "./gallery-filter.ts";
import {
  BATCH_SIZE,
  type Counted,
  countShapes,
  countSizes,
  countTags,
  type GalleryFilter,
  isFiltering,
  MAX_SEARCH_CHARS,
} from "./gallery-filter.ts";

const WORDS: Record<string, string> = { landscape: "Landscape", portrait: "Portrait", square: "Square" };

type SizeChoiceProps = { shapes: Counted[]; sizes: Counted[]; chosen: string; onChange: (chosen: string) => void };

function Choice({ value, count }: Counted) {
  return (
    <option value={value}>
      {WORDS[value] ?? value.replace("x", " × ")} ({count})
    </option>
  );
}

/** Chooses a size, or a shape. */
function SizeChoice({ shapes, sizes, chosen, onChange }: SizeChoiceProps) {
  const isKnown = [...shapes, ...sizes].some(({ value }) => value === chosen);
  return (
    <label className="min-w-0 sm:w-56">
      <span className="sr-only">Size</span>
      <select name="size" value={chosen} onChange={(event) => onChange(event.target.value)} className="control">
        <option value="">All sizes</option>
        {chosen !== "" && !isKnown && <option value={chosen}>{chosen.replace("x", " × ")} (0)</option>}
        {shapes.length > 1 && (
          <optgroup label="Shape">
            {shapes.map((shape) => (
              <Choice key={shape.value} {...shape} />
            ))}
          </optgroup>
        )}
        <optgroup label="Pixels">
          {sizes.map((size) => (
            <Choice key={size.value} {...size} />
          ))}
        </optgroup>
      </select>
    </label>
  );
}

/** The maximum number of tags shown at first: one line of a large window. */
const COMMON_TAGS = 10;

/**
 * The common tags, which more than one template has, and the rare ones. Without common tags the first ones are shown.
 */
function splitTags(tags: Counted[]): [common: Counted[], rare: Counted[]] {
  const shared = tags.filter(({ count }) => count > 1).length;
  const shown = Math.min(COMMON_TAGS, shared === 0 ? tags.length : shared);
  return [tags.slice(0, shown), tags.slice(shown)];
}

type TagChoiceProps = { tags: Counted[]; chosen: string[]; onChange: (chosen: string[]) => void };

function Tag({ tag, isChosen, onToggle }: { tag: Counted; isChosen: boolean; onToggle: () => void }) {
  return (
    <label className="relative inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-sm hover:border-edge has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-checked:forced-color-adjust-none forced-colors:has-checked:bg-[SelectedItem] forced-colors:has-checked:text-[SelectedItemText] has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2">
      <input
        type="checkbox"
        name="tag"
        value={tag.value}
        checked={isChosen}
        onChange={onToggle}
        // Transparent, and covers the label, which shows the state.
        className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
      />
      {tag.value}
      <span aria-hidden="true" className="text-xs tabular-nums opacity-75">
        {tag.count}
      </span>
    </label>
  );
}

/** Chooses tags. Rare ones are folded away. */
function TagChoice({ tags, chosen, onChange }: TagChoiceProps) {
  if (tags.length === 0) return null;
  const render = (shown: Counted[]) =>
    shown.map((tag) => {
      const isChosen = chosen.includes(tag.value);
      const toggled = isChosen ? chosen.filter((one) => one !== tag.value) : [...chosen, tag.value];
      return <Tag key={tag.value} tag={tag} isChosen={isChosen} onToggle={() => onChange(toggled)} />;
    });
  const [common, rare] = splitTags(tags);
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
      <legend className="sr-only">Tags</legend>
      {render(common)}
      {rare.length > 0 && (
        <details className="open:basis-full" open={rare.some(({ value }) => chosen.includes(value)) || undefined}>
          <summary className="w-fit cursor-pointer px-1 py-1.5 text-sm text-soft hover:text-ink">
            {rare.length} {common.length > 0 && "more "}
            {rare.length === 1 ? "tag" : "tags"}
          </summary>
          <div className="mt-2 flex flex-wrap gap-2">{render(rare)}</div>
        </details>
      )}
    </fieldset>
  );
}

type GallerySearchProps = {
  items: GalleryItem[];
  filter: GalleryFilter;
  onChange: (change: Partial<GalleryFilter>) => void;
  /** Such as `3 of 40 templates`. */
  found: string;
  /** The element with `found`, which gets the focus when a link that changes the search disappears. */
  result: RefObject<HTMLElement | null>;
};

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="relative min-w-0 flex-1">
      <span className="sr-only">Search templates</span>
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

/** The search of the gallery. Without scripts it is a plain form. */
export function GallerySearch({ items, filter, onChange, found, result }: GallerySearchProps) {
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
          <span ref={result} role="status" tabIndex={-1} className="tabular-nums">
            {found}
          </span>
          {isFiltering(filter) && (
            <PageLink
              href="/"
              replace
              scroll={false}
              className="link"
              onNavigate={(event) => {
                event.preventDefault();
                result.current?.focus();
                choose({ q: "", tags: [], size: "" });
              }}
            >
              Show all
            </PageLink>
          )}
        </p>
      </form>
    </search>
  );
}
