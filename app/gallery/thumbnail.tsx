"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { Picture } from "../ui/content/picture.tsx";
import { thumbnailAddress } from "../ui/content/thumbnail-address.ts";

type ThumbnailProps = {
  slug: string;
  width: number;
  height: number;
  /** The `sizes` attribute. */
  sizes: string;
  alt?: string;
  /** Loads eagerly, because it is on the first screen. */
  isFirst?: boolean;
  className?: string;
};

/** The waits before each retry, in milliseconds. */
const RETRY_AFTER_MS = [1_500, 4_000, 10_000];

type State = "loading" | "loaded" | "waiting" | "failed";

/** Replaces a picture that cannot be loaded. */
function NoPreview() {
  return (
    <span className="@container absolute inset-0 flex flex-wrap content-center items-center justify-center gap-1.5 rounded-[inherit] border border-edge border-dashed bg-paper text-soft text-xs">
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 fill-none stroke-current stroke-[1.5]">
        <path d="M4 5.5h11M20 8v10.5H4V5.5M4 16l4.5-4.5 4 4M14 14l2-2 4 4M17.5 3.5l4 4M21.5 3.5l-4 4" />
      </svg>
      {/* A narrow picture has space for the icon only. */}
      <span className="sr-only @min-[4.5rem]:not-sr-only">No preview</span>
    </span>
  );
}

/** The loading state of a picture, which is retried when the service is busy. */
function useLoading() {
  const [state, setState] = useState<State>("loading");
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (state !== "waiting") return;
    const timer = setTimeout(() => {
      setAttempt(attempt + 1);
      setState("loading");
    }, RETRY_AFTER_MS[attempt]);
    return () => clearTimeout(timer);
  }, [state, attempt]);
  const fail = () => setState(attempt < RETRY_AFTER_MS.length ? "waiting" : "failed");
  return { state, attempt, fail, load: () => setState("loaded") };
}

/**
 * Calls back when a picture cannot be loaded, also when that was known before hydration. Not `onError` of `next/image`, which
 * assigns the address again, and makes Firefox request the picture twice.
 */
function useError(image: RefObject<HTMLImageElement | null>, state: State, onError: () => void): void {
  const failed = useRef(onError);
  useEffect(() => {
    failed.current = onError;
  });
  useEffect(() => {
    const element = image.current;
    if (state !== "loading" || element === null) return;
    const fail = () => failed.current();
    if (element.complete && element.naturalWidth === 0) return fail();
    element.addEventListener("error", fail);
    return () => element.removeEventListener("error", fail);
  }, [image, state]);
}

/**
 * The thumbnail of a template. Its box has the aspect ratio of the picture from the start, with a plain background
 * while it loads and an icon when it fails.
 */
export function Thumbnail({ slug, width, height, sizes, alt = "", isFirst, className }: ThumbnailProps) {
  const { state, attempt, fail, load } = useLoading();
  const image = useRef<HTMLImageElement>(null);
  useError(image, state, fail);
  return (
    <span
      data-state={state}
      style={{ aspectRatio: `${width} / ${height}` }}
      className={`relative block overflow-hidden ${state === "loading" || state === "waiting" ? "bg-line" : ""} ${className ?? ""}`}
    >
      {(state === "loading" || state === "loaded") && (
        <Picture
          ref={image}
          key={attempt}
          src={thumbnailAddress(slug)}
          sizes={sizes}
          loading={isFirst ? "eager" : "lazy"}
          width={width}
          height={height}
          alt={alt}
          onLoad={load}
          className="absolute inset-0 size-full"
        />
      )}
      {state === "failed" && <NoPreview />}
    </span>
  );
}
