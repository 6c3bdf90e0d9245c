"use client";

import { type KeyboardEvent, type MouseEvent, type PointerEvent, useId } from "react";
import { MAX_ZOOM } from "#lib/templates/images/zoom-limit.ts";
import { Picture } from "../../../../ui/content/picture.tsx";
import { Button } from "../../../../ui/form/button.tsx";
import type { Focus, ImageEdit } from "./image-edit.ts";

/** How far an arrow key moves the focus, as a fraction of the image; ten times as far with the shift key. */
const STEP = 0.01;

const MIDDLE: Focus = { x: 0.5, y: 0.5 };

const DIRECTIONS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A fraction with two decimals, inside the image. */
const within = (value: number) => Math.round(Math.min(Math.max(value, 0), 1) * 100) / 100;

const percent = (value: number) => `${Math.round(value * 100)} %`;

type TargetProps = {
  url: string;
  /** The label of the field. */
  label: string;
  focus: Focus | undefined;
  onFocus: (focus: Focus) => void;
};

/** The image with a cross at its focus, which the pointer and the arrow keys move. */
function FocusTarget({ url, label, focus, onFocus }: TargetProps) {
  const point = focus ?? MIDDLE;
  const follow = (event: PointerEvent<HTMLButtonElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    onFocus({ x: within((event.clientX - left) / width), y: within((event.clientY - top) / height) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [x, y] = direction.map((side) => side * STEP * (event.shiftKey ? 10 : 1)) as [number, number];
    onFocus({ x: within(point.x + x), y: within(point.y + y) });
  };
  return (
    <button
      type="button"
      aria-label={`Focus of ${label}: ${percent(point.x)} from the left, ${percent(point.y)} from the top`}
      title="Click what has to be seen, or use the arrow keys"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && follow(event)}
      onKeyDown={onKeyDown}
      className="relative mx-auto block w-fit max-w-full cursor-crosshair touch-none overflow-hidden rounded-sm bg-sunken"
    >
      <Picture
        src={url}
        alt=""
        width={320}
        height={224}
        unoptimized
        draggable={false}
        className="block h-auto max-h-56 w-auto max-w-full"
      />
      {/* A dark ring in a light one is seen on every image. */}
      <span
        aria-hidden="true"
        style={{ left: percent(point.x).replace(" ", ""), top: percent(point.y).replace(" ", "") }}
        className={`-translate-x-1/2 -translate-y-1/2 pointer-events-none absolute size-7 rounded-full border-2 border-white outline-2 outline-black ${focus ? "" : "opacity-50"}`}
      >
        <span className="-translate-x-1/2 -translate-y-1/2 absolute top-1/2 left-1/2 size-1.5 rounded-full bg-white outline-1 outline-black" />
      </span>
    </button>
  );
}

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  shown: string;
  onChange: (value: number) => void;
};

function Slider({ label, shown, onChange, ...range }: SliderProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-3 text-sm">
      <label htmlFor={id} className="w-24 flex-none">
        {label}
      </label>
      <input
        {...range}
        id={id}
        type="range"
        aria-valuetext={shown}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
      <span aria-hidden="true" className="w-12 flex-none text-right text-soft tabular-nums">
        {shown}
      </span>
    </div>
  );
}

type CropProps = {
  edit: ImageEdit;
  /** What this browser can show of the image; empty for an address. */
  url: string;
  label: string;
  onChange: (crop: Pick<ImageEdit, "focus" | "zoom">) => void;
};

/** Which part of an image is shown: its focus, by pointer, arrow keys or sliders, and its zoom. */
export function ImageCrop({ edit: { focus, zoom }, url, label, onChange }: CropProps) {
  const point = focus ?? MIDDLE;
  const isChanged = focus !== undefined || zoom !== 1;
  const fraction = { min: 0, max: 1, step: STEP };
  const reset = (event: MouseEvent<HTMLButtonElement>) => {
    // The button disappears.
    event.currentTarget.closest("fieldset")?.querySelector("input")?.focus();
    onChange({ focus: undefined, zoom: 1 });
  };
  return (
    <details className="group rounded-md border border-line bg-surface text-sm">
      <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-2.5 text-soft">
        Focus and zoom
        <span className="ml-auto text-xs tabular-nums">
          {focus ? `${percent(focus.x)}, ${percent(focus.y)}` : "Automatic"}
          {zoom === 1 ? "" : ` · ${zoom}×`}
        </span>
      </summary>
      <fieldset className="flex min-w-0 flex-col gap-2 px-2.5 pb-2.5">
        <legend className="sr-only">Focus and zoom of {label}</legend>
        {url !== "" && (
          <FocusTarget url={url} label={label} focus={focus} onFocus={(next) => onChange({ focus: next, zoom })} />
        )}
        <Slider
          {...fraction}
          label="From the left"
          value={point.x}
          shown={percent(point.x)}
          onChange={(x) => onChange({ focus: { ...point, x: within(x) }, zoom })}
        />
        <Slider
          {...fraction}
          label="From the top"
          value={point.y}
          shown={percent(point.y)}
          onChange={(y) => onChange({ focus: { ...point, y: within(y) }, zoom })}
        />
        <Slider
          label="Zoom"
          value={zoom}
          min={1}
          max={MAX_ZOOM}
          step={0.1}
          shown={`${zoom}×`}
          onChange={(next) => onChange({ focus, zoom: Math.round(next * 10) / 10 })}
        />
        <div className="flex flex-wrap items-center justify-between gap-2 text-soft">
          <span>{focus ? "" : "Without a focus, the template or the service chooses one."}</span>
          {isChanged && (
            <Button size="small" tone="quiet" aria-label={`Automatic focus and zoom of ${label}`} onClick={reset}>
              Automatic
            </Button>
          )}
        </div>
      </fieldset>
    </details>
  );
}
