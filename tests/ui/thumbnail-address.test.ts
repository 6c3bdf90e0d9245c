import { expect, it } from "vitest";
import { THUMBNAIL_WIDTHS, ThumbnailQuery } from "#lib/schemas/thumbnail.ts";
import inWidth, { thumbnailAddress } from "../../app/ui/content/thumbnail-address.ts";

it.each([
  ["social/quote", undefined, "/api/service/thumbnails/social/quote"],
  ["social/quote", "poster", "/api/service/thumbnails/social/quote"],
  ["a b/?", "x&width=1", "/api/service/thumbnails/a%20b/%3F"],
])("the thumbnail of %s, %s, has an address that its route takes in every width", (slug, variant, path) => {
  for (const width of THUMBNAIL_WIDTHS) {
    const { pathname, searchParams } = new URL(
      inWidth({ src: thumbnailAddress(slug, variant), width }),
      "http://local",
    );
    expect(pathname).toBe(path);
    expect(ThumbnailQuery.parse(Object.fromEntries(searchParams))).toEqual({ width, ...(variant && { variant }) });
    expect([...searchParams.keys()].length).toBe(variant === undefined ? 1 : 2);
  }
});
