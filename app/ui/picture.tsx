import Image, { type ImageProps } from "next/image";

/**
 * A picture whose words are seen where it does not come: `next/image` hides them until a script hears of that. One that is
 * no thumbnail is `unoptimized`, as it is.
 */
export function Picture({ alt, style, ...rest }: ImageProps) {
  return <Image {...rest} alt={alt} style={{ color: "inherit", ...style }} />;
}
