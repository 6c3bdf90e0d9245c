"use client";

import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { EditValue, PickedImage } from "../edits.ts";
import { pickImage } from "./pick-image.ts";

const ZONE = "data-image-zone";

function imageOf(files: FileList | undefined): File | undefined {
  return [...(files ?? [])].find((file) => file.type.startsWith("image/")) ?? files?.[0];
}

/** Where nobody says which field is meant, a pasted image is for the first. Text that is pasted into a text stays text. */
function isFor(zone: Element | null, { target, clipboardData }: ClipboardEvent): boolean {
  const place = target instanceof Element ? target : document.body;
  if (place.closest(`[${ZONE}]`)) return zone?.contains(place) ?? false;
  const isText = place.matches("input, textarea") && clipboardData?.types.includes("text/plain");
  return !isText && document.querySelector(`[${ZONE}]`) === zone;
}

type ImageSlot = {
  /** What the field shows. */
  value: EditValue | undefined;
  /** How many bytes an image may have. */
  roomBytes: number;
  onPick: (image: PickedImage) => void;
};

type ImageInput = {
  /** Why the last file was not taken, as long as nothing else has come to stand in the field. */
  fault: string | undefined;
  isOver: boolean;
  take: (file: File | undefined) => void;
  /** For the element that images are dropped on. */
  zoneProps: Record<string, unknown>;
};

/** An image by file, by paste anywhere on the page, or by drop. */
export function useImageInput({ value, roomBytes, onPick }: ImageSlot): ImageInput {
  const zone = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState<string>();
  const [isOver, setOver] = useState(false);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setFault(undefined);
  }
  const picks = useRef(0);
  const take = async (file: File | undefined) => {
    if (!file) return;
    picks.current += 1;
    const own = picks.current;
    const picked = await pickImage(file, roomBytes);
    // A large file takes longer to read than a small one that was chosen after it.
    if (own !== picks.current) return;
    setFault("fault" in picked ? picked.fault : undefined);
    if ("image" in picked) onPick(picked.image);
  };
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const file = imageOf(event.clipboardData?.files);
    if (!file || !isFor(zone.current, event)) return;
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
