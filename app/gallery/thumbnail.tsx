"use client";

import { useEffect, useState } from "react";
import { Picture } from "../ui/picture.tsx";
import { thumbnailAddress } from "../ui/thumbnail-address.ts";

type ThumbnailProps = {
  slug: string;
  width: number;
  height: number;
  /** How wide it is on the page, for `srcset`. */
  sizes: string;
  /** What it shows, where nothing beside it says so. */
  alt?: string;
  /** It is on the first screen. */
  isFirst?: boolean;
  className?: string;
};

/** A busy service is asked again after these waits, in milliseconds; then the picture counts as one that cannot be drawn. */
const RETRY_AFTER_MS = [1_500, 4_000, 10_000];

type State = "coming" | "there" | "resting" | "failed";

/** What stands where no picture could be drawn. */
function Missing() {
  return (
    <span className="@container absolute inset-0 flex flex-wrap content-center items-center justify-center gap-1.5 rounded-[inherit] border border-edge border-dashed bg-paper text-soft text-xs">
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 fill-none stroke-current stroke-[1.5]">
        <path d="M4 5.5h11M20 8v10.5H4V5.5M4 16l4.5-4.5 4 4M14 14l2-2 4 4M17.5 3.5l4 4M21.5 3.5l-4 4" />
      </svg>
      {/* A narrow picture has room for the mark alone. */}
      <span className="sr-only @min-[4.5rem]:not-sr-only">No preview</span>
    </span>
  );
}

/** Follows one picture: whether it has come, and when to ask for it again. */
function usePicture() {
  const [state, setState] = useState<State>("coming");
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (state !== "resting") return;
    const timer = setTimeout(() => {
      setAttempt(attempt + 1);
      setState("coming");
    }, RETRY_AFTER_MS[attempt]);
    return () => clearTimeout(timer);
  }, [state, attempt]);
  const fail = () => setState(attempt < RETRY_AFTER_MS.length ? "resting" : "failed");
  return { state, attempt, fail, arrive: () => setState("there") };
}

/**
 * A template's picture, which the service draws when it is asked for: a calm ground until it is there, and a mark where it
 * cannot be drawn. Its place has the picture's proportions from the start.
 */
export function Thumbnail({ slug, width, height, sizes, alt = "", isFirst, className }: ThumbnailProps) {
  const { state, attempt, fail, arrive } = usePicture();
  return (
    <span
      data-state={state}
      style={{ aspectRatio: `${width} / ${height}` }}
      className={`relative block overflow-hidden ${state === "coming" || state === "resting" ? "bg-line" : ""} ${className ?? ""}`}
    >
      {(state === "coming" || state === "there") && (
        <Picture
          key={attempt}
          src={thumbnailAddress(slug)}
          sizes={sizes}
          loading={isFirst ? "eager" : "lazy"}
          width={width}
          height={height}
          alt={alt}
          onLoad={arrive}
          onError={fail}
          className="absolute inset-0 size-full"
        />
      )}
      {state === "failed" && <Missing />}
    </span>
  );
}
