import { UsersQuery } from "#lib/schemas/user.ts";
import { FIRST_SORT, type Listing } from "./listing.ts";

/** The unvalidated query of a page. */
export type Parameters = Record<string, string | string[] | undefined>;

/** Reads a query by the schema of the route. Invalid values are ignored, because people type addresses by hand. */
export function readListing({ search, sort, page }: Parameters): Listing {
  const { shape } = UsersQuery;
  return {
    search: shape.search.safeParse(search).data ?? "",
    sort: shape.sort.safeParse(sort).data ?? FIRST_SORT,
    page: shape.page.safeParse(page).data ?? 1,
  };
}
