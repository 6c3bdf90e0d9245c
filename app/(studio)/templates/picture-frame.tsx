import type { CSSProperties, ReactNode } from "react";
import { Picture } from "../../ui/content/picture.tsx";
import { thumbnailAddress } from "../../ui/content/thumbnail-address.ts";
import type { StudioTemplate } from "./edits.ts";

type PictureFrameProps = {
  template: StudioTemplate;
  variant: string;
  /** An object URL of the picture. Until there is one, the thumbnail of the variant is shown. */
  url: string | undefined;
  isBusy: boolean;
  /** Shown over the lower edge of the picture, where it moves nothing. */
  children?: ReactNode;
};

/** The width of the picture, as `--picture-height` of `studio.css` limits it. */
function sizesOf(ratio: number): string {
  const scaled = (height: string) => `calc(${height} * ${ratio.toFixed(3)})`;
  return `(min-width: 64rem) min(50rem, ${scaled("max(20rem, 100svh - 22rem)")}), min(100vw, ${scaled("34svh")})`;
}

/**
 * The picture in a frame of its aspect ratio, so that nothing moves when it loads. It is never higher than the window,
 * so that a tall picture is completely visible beside the form.
 */
export function PictureFrame({ template, variant, url, isBusy, children }: PictureFrameProps) {
  const { slug, title, width, height } = template;
  return (
    <div className="picture-frame relative grid place-items-center border-line border-y bg-sunken p-3 max-lg:-mx-4 sm:p-4 sm:max-lg:-mx-6 lg:rounded-lg lg:border-x lg:p-6">
      <div
        aria-busy={isBusy}
        className="relative w-[min(100%,calc(var(--picture-height)*var(--ratio)))] shadow-pop"
        style={{ aspectRatio: `${width} / ${height}`, "--ratio": width / height } as CSSProperties}
      >
        <Picture
          src={url ?? thumbnailAddress(slug, variant)}
          sizes={sizesOf(width / height)}
          width={width}
          height={height}
          loading="eager"
          // Keeps the last picture until this one is decoded.
          decoding="auto"
          fetchPriority="high"
          alt={`${title}, rendered with the values of the form`}
          className="absolute inset-0 size-full"
        />
        <span
          aria-hidden="true"
          // Delayed, so that fast renders do not show it.
          className={`absolute inset-x-0 top-0 h-0.5 overflow-hidden bg-line transition-opacity ${isBusy ? "opacity-100 delay-300" : "opacity-0"}`}
        >
          <span className="block h-full w-1/3 animate-[slide_1.1s_ease-in-out_infinite] bg-accent" />
        </span>
      </div>
      <div className="absolute inset-x-2 bottom-2 max-h-full overflow-y-auto sm:inset-x-4 sm:bottom-4">{children}</div>
    </div>
  );
}
