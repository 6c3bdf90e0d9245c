import type { Counted } from "./gallery-filter.ts";

const WORDS: Record<string, string> = { landscape: "Landscape", portrait: "Portrait", square: "Square" };

type SizeChoiceProps = { shapes: Counted[]; sizes: Counted[]; chosen: string; onChange: (chosen: string) => void };

function Choice({ value, count }: Counted) {
  return (
    <option value={value}>
      {WORDS[value] ?? value.replace("x", " × ")} ({count})
    </option>
  );
}

/** One of the sizes that there are, or a shape for all sizes that have it. */
export function SizeChoice({ shapes, sizes, chosen, onChange }: SizeChoiceProps) {
  const isKnown = [...shapes, ...sizes].some(({ value }) => value === chosen);
  return (
    <label className="min-w-0 sm:w-56">
      <span className="sr-only">Size</span>
      <select name="size" value={chosen} onChange={(event) => onChange(event.target.value)} className="control">
        <option value="">Every size</option>
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
