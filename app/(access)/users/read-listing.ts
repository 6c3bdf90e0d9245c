import { UsersQuery } from "#lib/schemas/user.ts";
import { FIRST_SORT, type Listing } from "./listing.ts";

/** The query of a page, as it comes. */
export type Parameters = Record<string, string | string[] | undefined>;

/** What an address asks for, by the rules of the route. What it would refuse counts as absent: addresses are typed by hand. */
export function readListing({ search, sort, page }: Parameters): Listing {
  const { shape } = UsersQuery;
  return {
    search: shape.search.safeParse(search).data ?? "",
    sort: shape.sort.safeParse(sort).data ?? FIRST_SORT,
    page: shape.page.safeParse(page).data ?? 1,
  };
}
