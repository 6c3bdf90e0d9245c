"use client";

import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { EditValue, PickedImage } from "../../edits.ts";
import { pickImage } from "./pick-image.ts";

const ZONE = "data-image-zone";

function imageOf(files: FileList | undefined): File | undefined {
  return [...(files ?? [])].find((file) => file.type.startsWith("image/")) ?? files?.[0];
}

/**
 * Whether a zone takes a pasted image. Outside of all zones, the first one does. Text pasted into a text input stays
 * text.
 */
function takesPaste(zone: Element | null, { target, clipboardData }: ClipboardEvent): boolean {
  const element = target instanceof Element ? target : document.body;
  if (element.closest(`[${ZONE}]`)) return zone?.contains(element) ?? false;
  const isText = element.matches("input, textarea") && clipboardData?.types.includes("text/plain");
  return !isText && document.querySelector(`[${ZONE}]`) === zone;
}

type ImageSlot = {
  /** The value of the field. */
  value: EditValue | undefined;
  /** The size limit of the file. */
  maxBytes: number;
  onPick: (image: PickedImage) => void;
};

type ImageInput = {
  /** Why the last file was refused, until the value changes. */
  fault: string | undefined;
  isOver: boolean;
  take: (file: File | undefined) => void;
  /** Props for the drop zone. */
  zoneProps: Record<string, unknown>;
};

/** Takes an image as a file, by paste anywhere on the page, or by drop. */
export function useImageInput({ value, maxBytes, onPick }: ImageSlot): ImageInput {
  const zone = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState<string>();
  const [isOver, setOver] = useState(false);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setFault(undefined);
  }
  const picks = useRef(0);
  // To read a file takes time. Meanwhile other values of the same list may change, and its item be moved or removed.
  const latest = useRef(onPick);
  useEffect(() => {
    latest.current = onPick;
  });
  useEffect(
    () => () => {
      picks.current += 1;
    },
    [],
  );
  const take = async (file: File | undefined) => {
    if (!file) return;
    picks.current += 1;
    const own = picks.current;
    const picked = await pickImage(file, maxBytes);
    // Another file was chosen while this one was read.
    if (own !== picks.current) return;
    setFault("fault" in picked ? picked.fault : undefined);
    if ("image" in picked) latest.current(picked.image);
  };
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const file = imageOf(event.clipboardData?.files);
    if (!file || !takesPaste(zone.current, event)) return;
    event.preventDefault();
    void take(file);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener("paste", listen);
    return () => document.removeEventListener("paste", listen);
  }, []);
  const over = (isInside: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isInside);
  };
  const onDrop = (event: DragEvent) => {
    over(false)(event);
    void take(imageOf(event.dataTransfer.files));
  };
  const zoneProps = { [ZONE]: "", ref: zone, onDragOver: over(true), onDragLeave: over(false), onDrop };
  return { fault, isOver, take: (file) => void take(file), zoneProps };
}
