import type { ImageLoaderProps } from "next/image";

/** The address of a small picture of a template's variant, or of its default, in the width that the service chooses. */
export function thumbnailAddress(slug: string, variant?: string): string {
  const path = slug.split("/").map(encodeURIComponent).join("/");
  const query = variant === undefined ? "" : `?${new URLSearchParams({ variant })}`;
  return `/api/service/thumbnails/${path}${query}`;
}

/**
 * The same in one of the widths that there are. `next/image` asks this of every picture that is not `unoptimized`
 * (`images.loaderFile` in `next.config.ts`), so only thumbnails may do without that.
 */
export default function inWidth({ src, width }: Pick<ImageLoaderProps, "src" | "width">): string {
  return `${src}${src.includes("?") ? "&" : "?"}width=${width}`;
}
