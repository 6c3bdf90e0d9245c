"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type GalleryFilter, galleryHref, readFilter } from "./gallery-filter.ts";

/** How long typing rests before the address follows, in milliseconds: browsers refuse addresses that change all the time. */
const ADDRESS_DELAY_MS = 250;

/** The filter of the page's address, which follows every change of it; going back or to another address changes the filter. */
export function useGalleryFilter(): [GalleryFilter, (change: Partial<GalleryFilter>) => void] {
  const params = useSearchParams();
  const asked = galleryHref(readFilter(new URLSearchParams(params)));
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(params)));
  const written = useRef(asked);
  useEffect(() => {
    if (asked === written.current) return;
    written.current = asked;
    setFilter(readFilter(new URL(asked, window.location.origin).searchParams));
  }, [asked]);
  useEffect(() => {
    const href = galleryHref(filter);
    if (href === written.current) return;
    const rest = () => {
      clearTimeout(timer);
      document.removeEventListener("click", write, { capture: true });
    };
    const write = () => {
      // Once: an address that changes on the way to another page would call it back.
      rest();
      written.current = href;
      window.history.replaceState(null, "", href);
    };
    const timer = setTimeout(write, ADDRESS_DELAY_MS);
    // A click may lead away, and what was looked for is to be there on the way back.
    document.addEventListener("click", write, { capture: true });
    return rest;
  }, [filter]);
  return [filter, (change) => setFilter((before) => ({ ...before, ...change }))];
}
