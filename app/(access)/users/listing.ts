import type { UserSortKey } from "#lib/schemas/user.ts";

export type Sort = UserSortKey | `-${UserSortKey}`;

/** What the list of users shows. */
export type Listing = {
  /** Part of an email or a name; empty for everyone. */
  search: string;
  sort: Sort;
  /** From 1. */
  page: number;
};

export const FIRST_SORT: Sort = "name";

/** The orders that have words of their own: what a window without column headers is offered. */
export const SORTS: { value: Sort; label: string }[] = [
  { value: "name", label: "Name" },
  { value: "email", label: "Email" },
  { value: "role", label: "Administrators first" },
  { value: "-status", label: "Deactivated first" },
  { value: "-lastLoginAt", label: "Last login, the latest first" },
  { value: "-createdAt", label: "Created, the newest first" },
];

/** Moments are asked for from the latest on, words from A on. */
const FIRST_DIRECTION: Record<UserSortKey, Sort> = {
  name: "name",
  email: "email",
  role: "role",
  status: "status",
  lastLoginAt: "-lastLoginAt",
  createdAt: "-createdAt",
};

/** The address of a list of users; what is as at first is left out. */
export function listingHref({ search, sort, page }: Listing): string {
  const query = new URLSearchParams();
  if (search !== "") query.set("search", search);
  if (sort !== FIRST_SORT) query.set("sort", sort);
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/users?${query}` : "/users";
}

/** In which direction a column is sorted, if it is the one. */
export function directionOf(key: UserSortKey, sort: Sort): "ascending" | "descending" | undefined {
  if (sort === key) return "ascending";
  return sort === `-${key}` ? "descending" : undefined;
}

/** What a press on a column's header sorts by: the other direction of the same, or the column anew. */
export function nextSort(key: UserSortKey, sort: Sort): Sort {
  if (sort === key) return `-${key}`;
  return sort === `-${key}` ? key : FIRST_DIRECTION[key];
}
