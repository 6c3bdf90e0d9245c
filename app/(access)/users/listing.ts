import type { UserSortKey } from "#lib/schemas/user.ts";

export type Sort = UserSortKey | `-${UserSortKey}`;

/** The part of the list of users that a page shows. */
export type Listing = {
  /** A part of an email or name; empty for all users. */
  search: string;
  sort: Sort;
  /** From 1. */
  page: number;
};

export const FIRST_SORT: Sort = "name";

/** The options of the order in a narrow window, which has no column headers. */
export const SORTS: { value: Sort; label: string }[] = [
  { value: "name", label: "Name" },
  { value: "email", label: "Email" },
  { value: "role", label: "Administrators first" },
  { value: "-status", label: "Deactivated first" },
  { value: "-lastLoginAt", label: "Last sign-in, newest first" },
  { value: "-createdAt", label: "Created, newest first" },
];

/** The direction of the first click on a header: times newest first, texts from A. */
const FIRST_DIRECTION: Record<UserSortKey, Sort> = {
  name: "name",
  email: "email",
  role: "role",
  status: "status",
  lastLoginAt: "-lastLoginAt",
  createdAt: "-createdAt",
};

/** The address of a listing, without default values. */
export function listingHref({ search, sort, page }: Listing): string {
  const query = new URLSearchParams();
  if (search !== "") query.set("search", search);
  if (sort !== FIRST_SORT) query.set("sort", sort);
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/users?${query}` : "/users";
}

/** The direction of a column; undefined unless the list is sorted by it. */
export function directionOf(key: UserSortKey, sort: Sort): "ascending" | "descending" | undefined {
  if (sort === key) return "ascending";
  return sort === `-${key}` ? "descending" : undefined;
}

/** The order after a click on a header: a sorted column is reversed, another one starts in its first direction. */
export function nextSort(key: UserSortKey, sort: Sort): Sort {
  if (sort === key) return `-${key}`;
  return sort === `-${key}` ? key : FIRST_DIRECTION[key];
}
