import type { ImageLoaderProps } from "next/image";

/** The address of the thumbnail of a variant, or of the default variant, in the width that the service chooses. */
export function thumbnailAddress(slug: string, variant?: string): string {
  const path = slug.split("/").map(encodeURIComponent).join("/");
  const query = variant === undefined ? "" : `?${new URLSearchParams({ variant })}`;
  return `/api/service/thumbnails/${path}${query}`;
}

/**
 * The loader of `next/image` (`images.loaderFile` in `next.config.ts`): the address of a thumbnail in one width. Next
 * calls it for every picture that is not `unoptimized`.
 */
export default function inWidth({ src, width }: Pick<ImageLoaderProps, "src" | "width">): string {
  return `${src}${src.includes("?") ? "&" : "?"}width=${width}`;
}
