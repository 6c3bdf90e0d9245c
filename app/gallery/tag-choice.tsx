import type { Counted } from "./gallery-filter.ts";

/** As many as fit a line of a large window. */
const COMMON_TAGS = 10;

/** Those that more than one template has, as far as there are such, and the others, which are a click away. */
function parted(tags: Counted[]): [common: Counted[], rare: Counted[]] {
  const shared = tags.filter(({ count }) => count > 1).length;
  const shown = Math.min(COMMON_TAGS, shared === 0 ? tags.length : shared);
  return [tags.slice(0, shown), tags.slice(shown)];
}

type TagChoiceProps = { tags: Counted[]; chosen: string[]; onChange: (chosen: string[]) => void };

function Tag({ tag, isChosen, onToggle }: { tag: Counted; isChosen: boolean; onToggle: () => void }) {
  return (
    <label className="relative inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-sm hover:border-edge has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2">
      <input
        type="checkbox"
        name="tag"
        value={tag.value}
        checked={isChosen}
        onChange={onToggle}
        // It lies over the words: whatever clicks them clicks it, and its look is the label's.
        className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
      />
      {tag.value}
      <span aria-hidden="true" className="text-xs tabular-nums opacity-75">
        {tag.count}
      </span>
    </label>
  );
}

/** The tags that there are, to choose some from. The rare ones of many are folded away. */
export function TagChoice({ tags, chosen, onChange }: TagChoiceProps) {
  if (tags.length === 0) return null;
  const show = (shown: Counted[]) =>
    shown.map((tag) => {
      const isChosen = chosen.includes(tag.value);
      const toggled = isChosen ? chosen.filter((one) => one !== tag.value) : [...chosen, tag.value];
      return <Tag key={tag.value} tag={tag} isChosen={isChosen} onToggle={() => onChange(toggled)} />;
    });
  const [common, rare] = parted(tags);
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
      <legend className="sr-only">Tags</legend>
      {show(common)}
      {rare.length > 0 && (
        <details className="open:basis-full" open={rare.some(({ value }) => chosen.includes(value)) || undefined}>
          <summary className="w-fit cursor-pointer px-1 py-1.5 text-sm text-soft hover:text-ink">
            {rare.length} {common.length > 0 && "more "}
            {rare.length === 1 ? "tag" : "tags"}
          </summary>
          <div className="mt-2 flex flex-wrap gap-2">{show(rare)}</div>
        </details>
      )}
    </fieldset>
  );
}
