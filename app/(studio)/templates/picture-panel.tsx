"use client";

import { Button } from "../../ui/button.tsx";
import type { StudioTemplate } from "./edits.ts";
import { megabytes } from "./fields/pick-image.ts";
import { Keys } from "./keys.tsx";
import { PictureActions } from "./picture-actions.tsx";
import { PictureFrame } from "./picture-frame.tsx";
import { PictureFailure, PictureStatus, PictureWarnings } from "./picture-notes.tsx";
import type { Address } from "./studio-address.ts";
import type { Drawing } from "./use-picture.ts";
import { useCopiesPictures } from "./use-platform.ts";

type PicturePanelProps = {
  template: StudioTemplate;
  variant: string;
  address: Address;
  drawing: Drawing;
  onRender: () => void;
};

function Facts({
  template: { width, height },
  drawing: { picture, failure },
}: Pick<PicturePanelProps, "template" | "drawing">) {
  const faults = failure?.issues.filter(({ path }) => path.startsWith("/data/")).length ?? 0;
  if (faults > 0) {
    const whose = faults === 1 ? "A field has" : `${faults} fields have`;
    return <p className="text-danger text-sm">{whose} a value that cannot be drawn.</p>;
  }
  const kept = picture?.isFromCache ? ", cached" : "";
  return (
    <p className="text-sm text-soft tabular-nums">
      {/* The heading says it too, and a narrow window has room for one line. */}
      <span className={picture ? "max-sm:hidden" : ""}>
        {width} × {height}
        {picture && " · "}
      </span>
      {picture && `${megabytes(picture.png.size)} · ${Math.round(picture.ms)} ms${kept}`}
    </p>
  );
}

/** What a link does not carry, where there is something. */
function LinkNotes({ template, address }: Pick<PicturePanelProps, "template" | "address">) {
  const labels = address.images.map((name) => template.fields[name]?.label ?? name);
  return (
    <>
      {labels.length > 0 && (
        <p>
          A link leaves out images from your machine ({labels.join(", ")}): whoever opens it sees the variant’s own.
        </p>
      )}
      {address.isTooLong && <p>These values are too long for a link: it opens the variant without them.</p>}
    </>
  );
}

/** The engine's own picture of what the form says, and what can be done with it. */
export function PicturePanel({ template, variant, address, drawing, onRender }: PicturePanelProps) {
  const file = `${template.slug.replaceAll("/", "-")}.png`;
  const copiesPictures = useCopiesPictures();
  return (
    <section aria-label="Picture" className="max-lg:contents lg:flex lg:flex-col lg:gap-3">
      <PictureFrame template={template} variant={variant} url={drawing.picture?.url} isBusy={drawing.isBusy}>
        <PictureFailure template={template} drawing={drawing} />
      </PictureFrame>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="flex min-h-8 items-center justify-between gap-3">
          <Facts template={template} drawing={drawing} />
          <Button
            size="small"
            tone="quiet"
            className="-mr-2.5"
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title="Draws the picture again, without a pause"
            onClick={onRender}
          >
            Render now <Keys />
          </Button>
        </div>
        <PictureActions picture={drawing.picture} file={file} query={address.query} />
        <PictureStatus drawing={drawing} />
        <div className="flex flex-col gap-1 text-soft text-sm empty:hidden">
          <LinkNotes template={template} address={address} />
          {!copiesPictures && <p>Pictures can be copied where the page is opened over https.</p>}
        </div>
      </div>
      <div className="max-lg:order-1 empty:hidden">
        <PictureWarnings template={template} drawing={drawing} />
      </div>
    </section>
  );
}
