"use client";

import { Button } from "../../ui/button.tsx";
import { buttonLook } from "../../ui/button-look.ts";
import { copyText } from "../../ui/copy-text.ts";
import { notify, notifyFailure } from "../../ui/notify.ts";
import type { Picture } from "./use-picture.ts";
import { useCopiesPictures } from "./use-platform.ts";

type PictureActionsProps = {
  picture: Picture | undefined;
  /** What the file is called. */
  file: string;
  /** The query of the link that opens the page as it is. */
  query: string;
};

async function copyPicture({ png }: Picture): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    notify("Copied the picture");
  } catch {
    notifyFailure({ message: "The browser did not let the picture be copied. Download it instead." });
  }
}

async function copyLink(query: string): Promise<void> {
  const { origin, pathname } = window.location;
  if (await copyText(origin + pathname + query)) notify("Copied the link");
  else notifyFailure({ message: "Could not copy. The address of this page is the link." });
}

/** What can be done with the picture. */
export function PictureActions({ picture, file, query }: PictureActionsProps) {
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
      <a href="#code" className={buttonLook({ tone: "quiet", size: "small" })}>
        Code
      </a>
    </div>
  );
}
