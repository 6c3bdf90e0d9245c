"use client";

import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { Picture } from "../../ui/picture.tsx";
import { thumbnailAddress } from "../../ui/thumbnail-address.ts";
import type { StudioTemplate } from "./edits.ts";

/** What a thumbnail fits into, in CSS pixels: four wide ones stand side by side. */
const BOX_PX = { width: 80, height: 60 };

type VariantPickerProps = { template: StudioTemplate; variant: string; onPick: (variant: string) => void };

/** The variants as they look, of which one is drawn on. Arrow keys go from one to the next. */
export function VariantPicker({ template, variant, onPick }: VariantPickerProps) {
  const { slug, variants, width, height } = template;
  if (variants.length < 2) return null;
  const scale = Math.min(BOX_PX.width / width, BOX_PX.height / height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return (
    <RadioGroup
      aria-label="Variant"
      value={variant}
      onValueChange={onPick}
      className="-mx-1 flex flex-wrap gap-x-2 gap-y-2 px-1"
    >
      {variants.map((name) => (
        <Radio.Root
          key={name}
          value={name}
          aria-label={name}
          className="group cursor-pointer rounded-md text-left text-sm text-soft data-checked:text-ink"
        >
          <span className="block w-fit rounded-md border border-line bg-sunken p-0.5 group-hover:border-edge group-data-checked:border-accent group-data-checked:ring-1 group-data-checked:ring-accent">
            <Picture
              src={thumbnailAddress(slug, name)}
              alt=""
              {...size}
              style={size}
              className="max-w-none rounded-sm"
            />
          </span>
          <span className="mt-1 block max-w-32 truncate px-0.5 group-data-checked:font-medium">{name}</span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
