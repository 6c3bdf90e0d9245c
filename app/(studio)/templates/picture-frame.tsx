import type { CSSProperties, ReactNode } from "react";
import { Picture } from "../../ui/picture.tsx";
import { thumbnailAddress } from "../../ui/thumbnail-address.ts";
import type { StudioTemplate } from "./edits.ts";

type PictureFrameProps = {
  template: StudioTemplate;
  variant: string;
  /** An object URL of the picture. Before there is one, the variant's thumbnail stands in its place. */
  url: string | undefined;
  isBusy: boolean;
  /** What lies over its lower edge, so that it is seen where the picture is, and moves nothing. */
  children?: ReactNode;
};

/**
 * The picture in a place of its proportions, which is there before it: nothing moves when it comes. It is never higher than
 * what the window shows of it, so that a tall one stands whole beside the form.
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
          sizes="(min-width: 64rem) 50rem, 100vw"
          width={width}
          height={height}
          loading="eager"
          // The picture before it stays until this one is decoded.
          decoding="auto"
          fetchPriority="high"
          alt={`${title}, as it is drawn with the values of the form`}
          className="absolute inset-0 size-full"
        />
        <span
          aria-hidden="true"
          // It comes late, so that it is not seen with pictures that are drawn at once.
          className={`absolute inset-x-0 top-0 h-0.5 overflow-hidden bg-line transition-opacity ${isBusy ? "opacity-100 delay-300" : "opacity-0"}`}
        >
          <span className="block h-full w-1/3 animate-[slide_1.1s_ease-in-out_infinite] bg-accent" />
        </span>
      </div>
      <div className="absolute inset-x-2 bottom-2 max-h-full overflow-y-auto sm:inset-x-4 sm:bottom-4">{children}</div>
    </div>
  );
}
