"use client";

import { Field as Base } from "@base-ui/react/field";
import { useId, useRef } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { type EditValue, isPicked } from "../edits.ts";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";
import { IMAGE_TYPES, megabytes } from "./pick-image.ts";
import { useImageInput } from "./use-image-input.ts";

/** The side of the square that it is shown in. */
const PREVIEW_PX = 64;

type ShownProps = { value: EditValue | undefined; isOwn: boolean };

function Preview({ value }: { value: EditValue | undefined }) {
  const url = isPicked(value) ? value.url : asText(value);
  const isShown = url.startsWith("data:");
  return (
    <span className="grid size-16 flex-none grid-rows-[100%] place-items-center overflow-hidden rounded-md border border-line bg-sunken">
      {isShown ? (
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

function Words({ value, isOwn }: ShownProps) {
  if (isPicked(value)) {
    const { file, width, height, bytes } = value;
    return (
      <>
        <span className="block truncate font-medium text-ink">{file}</span>
        {width} × {height}, {megabytes(bytes)}
      </>
    );
  }
  if (typeof value === "string" && /^https?:/.test(value)) return <>The image at the address below.</>;
  if (typeof value === "string" && value.startsWith("data:")) return <>The variant’s own image.</>;
  return <>{isOwn ? "The template’s own image." : "No image."} Choose, paste or drop one.</>;
}

/** Where the image may also be given by its address. */
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
  const { declaration, value, base, onChange, frame, acceptsAddresses, roomBytes } = props;
  const room = roomBytes + (isPicked(value) ? value.bytes : 0);
  const { fault, isOver, take, zoneProps } = useImageInput({ value, roomBytes: room, onPick: onChange });
  const input = useRef<HTMLInputElement>(null);
  const messages = useId();
  const isOwn = base.isOwnImage && value === undefined;
  const isFilled = isOwn || (value !== undefined && value !== "");
  const address = typeof value === "string" && !value.startsWith("data:") ? value : "";
  return (
    <Field {...frame} error={fault ?? frame.error} messagesId={messages}>
      <div
        {...zoneProps}
        className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-dashed p-2.5 ${isOver ? "border-ring bg-accent/8" : "border-edge bg-surface"}`}
      >
        <Preview value={value} />
        <div className="min-w-32 flex-1 text-sm text-soft">
          <Words value={value} isOwn={isOwn} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            aria-label={`Choose ${declaration.label}`}
            aria-describedby={messages}
            onClick={() => input.current?.click()}
          >
            Choose…
          </Button>
          {isFilled && !declaration.required && (
            <Button
              size="small"
              tone="quiet"
              aria-label={`Leave out ${declaration.label}`}
              onClick={() => onChange("")}
            >
              Leave out
            </Button>
          )}
        </div>
        <Base.Control
          render={
            <input
              ref={input}
              type="file"
              // The button opens it, and has its name and messages.
              tabIndex={-1}
              className="sr-only"
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
    </Field>
  );
}
