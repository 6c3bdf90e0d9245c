"use client";

import { copyText } from "../../ui/content/copy-button.tsx";
import { notify, notifyFailure } from "../../ui/feedback/toasts.tsx";
import { Button, buttonLook } from "../../ui/form/button.tsx";
import type { StudioTemplate } from "./edits.ts";
import { invalidFields } from "./field-words.ts";
import { megabytes } from "./fields/image/pick-image.ts";
import { PictureFrame } from "./picture-frame.tsx";
import { PictureFailure, PictureStatus, PictureWarnings } from "./picture-notes.tsx";
import { Keys, useCopiesPictures } from "./shortcuts.tsx";
import type { Address } from "./studio-address.ts";
import type { Picture, RenderState } from "./use-picture.ts";

type PictureActionsProps = {
  picture: Picture | undefined;
  /** The name of the downloaded file. */
  file: string;
  /** The query of the link to the page with its edits. */
  query: string;
  /** Whether the page has the code of the request. */
  hasCode: boolean;
};

async function copyPicture({ png }: Picture): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    notify("Picture copied");
  } catch {
    notifyFailure({ message: "The browser did not allow copying the picture. Download it instead." });
  }
}

async function copyLink(query: string): Promise<void> {
  const { origin, pathname } = window.location;
  if (await copyText(origin + pathname + query)) notify("Link copied");
  else notifyFailure({ message: "Could not copy the link. Copy the address of this page instead." });
}

/** Download, copy and link. */
function PictureActions({ picture, file, query, hasCode }: PictureActionsProps) {
  const copiesPictures = useCopiesPictures();
  return (
    <div className="flex flex-wrap gap-2">
      {picture ? (
        <a href={picture.url} download={file} className={buttonLook({ tone: "primary", size: "small" })}>
          Download
        </a>
      ) : (
        <Button size="small" tone="primary" disabled>
          Download
        </Button>
      )}
      {copiesPictures && (
        <Button size="small" disabled={!picture} onClick={() => picture && void copyPicture(picture)}>
          Copy picture
        </Button>
      )}
      <Button size="small" onClick={() => void copyLink(query)}>
        Copy link
      </Button>
      {hasCode && (
        <a href="#code" className={buttonLook({ tone: "quiet", size: "small" })}>
          Code
        </a>
      )}
    </div>
  );
}

type PicturePanelProps = {
  template: StudioTemplate;
  variant: string;
  address: Address;
  state: RenderState;
  onRender: () => void;
  /** Whether the page has the code of the request; it has when absent. */
  hasCode?: boolean;
};

function Facts({ template, state: { picture, failure } }: Pick<PicturePanelProps, "template" | "state">) {
  const faults = invalidFields(template, failure).length;
  if (faults > 0) {
    return <p className="text-danger text-sm">{faults === 1 ? "1 invalid field" : `${faults} invalid fields`}</p>;
  }
  const cached = picture?.isFromCache ? ", cached" : "";
  return (
    <p className="text-sm text-soft tabular-nums">
      {/* Hidden in a narrow window, which has space for one line. The page heading shows the size too. */}
      <span className={picture ? "max-sm:hidden" : ""}>
        {template.width} × {template.height}
        {picture && " · "}
      </span>
      {picture && `${megabytes(picture.png.size)} · ${Math.round(picture.ms)} ms${cached}`}
    </p>
  );
}

/** Says what a link leaves out. */
function LinkNotes({ template, address }: Pick<PicturePanelProps, "template" | "address">) {
  const labels = address.images.map((name) => template.fields[name]?.label ?? name);
  return (
    <>
      {labels.length > 0 && (
        <p>
          The link does not contain the images you chose ({labels.join(", ")}). It opens with the images of the variant.
        </p>
      )}
      {address.isTooLong && <p>The values are too long for a link. It opens the variant without your changes.</p>}
    </>
  );
}

/** The rendered picture, its facts and its actions. */
export function PicturePanel({ template, variant, address, state, onRender, hasCode = true }: PicturePanelProps) {
  const file = `${template.slug.replaceAll("/", "-")}.png`;
  const copiesPictures = useCopiesPictures();
  return (
    <section aria-label="Picture" className="max-lg:contents lg:flex lg:flex-col lg:gap-3">
      <PictureFrame template={template} variant={variant} url={state.picture?.url} isBusy={state.isBusy}>
        <PictureFailure template={template} state={state} />
      </PictureFrame>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="flex min-h-8 max-[19rem]:flex-wrap items-center justify-between gap-3">
          <Facts template={template} state={state} />
          <Button
            size="small"
            tone="quiet"
            className="-mr-2.5"
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title="Render the picture again"
            onClick={onRender}
          >
            Render now <Keys />
          </Button>
        </div>
        <PictureActions picture={state.picture} file={file} query={address.query} hasCode={hasCode} />
        <PictureStatus state={state} />
        <div className="flex flex-col gap-1 text-soft text-sm empty:hidden">
          <LinkNotes template={template} address={address} />
          {!copiesPictures && <p>To copy pictures, open this page over HTTPS.</p>}
        </div>
      </div>
      <div className="max-lg:order-1 empty:hidden">
        <PictureWarnings template={template} state={state} />
      </div>
    </section>
  );
}
