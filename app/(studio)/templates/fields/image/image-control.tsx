"use client";

import { Field as Base } from "@base-ui/react/field";
import { useRef } from "react";
import { Picture } from "../../../../ui/content/picture.tsx";
import { Button, buttonLook } from "../../../../ui/form/button.tsx";
import { Field } from "../../../../ui/form/field.tsx";
import { isPicked, type PickedImage } from "../../edits.ts";
import type { ControlProps, DeclarationOf } from "../control.ts";
import { ImageCrop } from "./image-crop.tsx";
import { readImageEdit, writeImageEdit } from "./image-edit.ts";
import { IMAGE_TYPES, megabytes } from "./pick-image.ts";
import { useImageInput } from "./use-image-input.ts";

/** The side of the square preview. */
const PREVIEW_PX = 64;

type Source = string | PickedImage | undefined;

/** What the browser can show of an image. It has no access to the addresses that the service fetches. */
function shownUrl(source: Source): string {
  const url = isPicked(source) ? source.url : (source ?? "");
  return url.startsWith("data:") ? url : "";
}

function Preview({ source }: { source: Source }) {
  const url = shownUrl(source);
  return (
    <span className="grid size-16 flex-none grid-rows-[100%] place-items-center overflow-hidden rounded-md border border-line bg-sunken">
      {url !== "" ? (
        <Picture
          src={url}
          alt=""
          width={PREVIEW_PX}
          height={PREVIEW_PX}
          unoptimized
          className="size-full object-contain"
        />
      ) : (
        <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 fill-none stroke-[1.25] stroke-edge">
          <rect x="2.5" y="4.5" width="19" height="15" rx="2" />
          <circle cx="8" cy="10" r="1.75" />
          <path d="m3 17 5.5-4.5 4 3 3.5-3 5 4" />
        </svg>
      )}
    </span>
  );
}

function Description({ source, isOwn }: { source: Source; isOwn: boolean }) {
  if (isPicked(source)) {
    const { file, width, height, bytes } = source;
    return (
      <>
        <span className="block truncate font-medium text-ink">{file}</span>
        {width} × {height}, {megabytes(bytes)}
      </>
    );
  }
  if (source && /^https?:/.test(source)) return <>The image at the address below.</>;
  if (source?.startsWith("data:")) return <>Image of the variant.</>;
  return <>{isOwn ? "Image of the template." : "No image."} Choose, paste or drop one.</>;
}

/** Takes the address of an image. */
function AddressInput({ value, label, onChange }: { value: string; label: string; onChange: (text: string) => void }) {
  return (
    <input
      type="url"
      inputMode="url"
      aria-label={`Address: ${label}`}
      placeholder="or an address: https://…"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      autoComplete="off"
      spellCheck={false}
      className="control"
    />
  );
}

export function ImageControl(props: ControlProps<DeclarationOf<"image">>) {
  const { declaration, value, base, onChange, frame, acceptsAddresses, availableBytes } = props;
  const input = useRef<HTMLInputElement>(null);
  const edit = readImageEdit(value);
  const { source } = edit;
  const maxBytes = availableBytes + (isPicked(source) ? source.bytes : 0);
  const { fault, isOver, take, zoneProps } = useImageInput({ value: source, maxBytes, onPick: onChange });
  const isOwn = base.isOwnImage && value === undefined;
  const isGiven = source !== undefined && source !== "";
  const isFilled = isOwn || isGiven;
  const address = typeof source === "string" && !source.startsWith("data:") ? source : "";
  const leaveOut = () => {
    // The button disappears.
    input.current?.focus();
    onChange("");
  };
  return (
    <Field {...frame} error={fault ?? frame.error}>
      <div
        {...zoneProps}
        className={`relative flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-dashed p-2.5 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-ring has-[input:focus-visible]:outline-offset-2 ${isOver ? "border-ring bg-accent/8" : "border-edge bg-surface"}`}
      >
        <Preview source={source} />
        <div className="min-w-32 flex-1 text-sm text-soft">
          <Description source={source} isOwn={isOwn} />
        </div>
        <div className="flex flex-wrap gap-2">
          <span aria-hidden="true" className={buttonLook({ tone: "secondary", size: "small" })}>
            Choose…
          </span>
          {isFilled && !declaration.required && (
            <Button
              size="small"
              tone="quiet"
              aria-label={`Leave out ${declaration.label}`}
              onClick={leaveOut}
              className="relative z-1"
            >
              Leave out
            </Button>
          )}
        </div>
        <Base.Control
          render={
            // Covers the whole zone, so that a click or a drop works before hydration too.
            <input
              ref={input}
              type="file"
              className="absolute inset-0 cursor-pointer opacity-0"
              accept={IMAGE_TYPES.join(",")}
              onChange={({ target }) => {
                take(target.files?.[0]);
                // So that the same file can be chosen again.
                target.value = "";
              }}
            />
          }
        />
      </div>
      {acceptsAddresses && <AddressInput value={address} label={declaration.label} onChange={onChange} />}
      {isGiven && (
        <ImageCrop
          edit={edit}
          url={shownUrl(source)}
          label={declaration.label}
          onChange={(crop) => onChange(writeImageEdit({ ...edit, ...crop }))}
        />
      )}
    </Field>
  );
}
