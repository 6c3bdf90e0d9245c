import { Picture } from "../../ui/content/picture.tsx";
import { thumbnailAddress } from "../../ui/content/thumbnail-address.ts";
import type { StudioTemplate } from "./edits.ts";

/** The box of a thumbnail, in CSS pixels: four wide ones fit side by side. */
const BOX_PX = { width: 80, height: 60 };

type VariantPickerProps = { template: StudioTemplate; variant: string; onPick: (variant: string) => void };

/** Chooses the variant by its thumbnail. */
export function VariantPicker({ template, variant, onPick }: VariantPickerProps) {
  const { slug, variants, width, height } = template;
  if (variants.length < 2) return null;
  const scale = Math.min(BOX_PX.width / width, BOX_PX.height / height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return (
    <fieldset className="-mx-1 flex flex-wrap gap-x-2 gap-y-2 px-1">
      <legend className="sr-only">Variant</legend>
      {variants.map((name) => (
        <label
          key={name}
          className="group relative rounded-md text-left text-sm text-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="variant"
            value={name}
            autoComplete="off"
            aria-label={name}
            checked={name === variant}
            onChange={() => onPick(name)}
            className="absolute inset-0 z-1 cursor-pointer appearance-none outline-none"
          />
          <span className="block w-fit rounded-md border border-line bg-sunken p-0.5 group-hover:border-edge group-has-checked:border-accent group-has-checked:ring-1 group-has-checked:ring-accent forced-colors:group-has-checked:bg-[SelectedItem]">
            <Picture
              src={thumbnailAddress(slug, name)}
              alt=""
              {...size}
              style={size}
              className="max-w-none rounded-sm"
            />
          </span>
          <span className="mt-1 block max-w-32 truncate px-0.5 group-has-checked:font-medium">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
