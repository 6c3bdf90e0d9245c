import Image, { type ImageProps } from "next/image";
import type { Ref } from "react";

type PictureProps = ImageProps & { ref?: Ref<HTMLImageElement> };

/**
 * `next/image` with a visible `alt` when the picture does not load: by default Next makes that text transparent until a
 * script runs. Pictures other than thumbnails have to be `unoptimized`.
 */
export function Picture({ alt, style, ...rest }: PictureProps) {
  return <Image {...rest} alt={alt} style={{ color: "inherit", ...style }} />;
}
