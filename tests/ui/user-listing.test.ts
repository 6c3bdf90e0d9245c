import { describe, expect, it } from "vitest";
import { password } from "#lib/schemas/user.ts";
import { directionOf, listingHref, nextSort } from "../../app/(access)/users/listing.ts";
import { newPassword } from "../../app/(access)/users/new-password.ts";
import { readListing } from "../../app/(access)/users/read-listing.ts";

describe("the address of a list of users", () => {
  it("contains only what differs from the default, and is read back", () => {
    expect(listingHref({ search: "", sort: "name", page: 1 })).toBe("/users");
    const listing = { search: "Ada & co?", sort: "-lastLoginAt", page: 12 } as const;
    const href = listingHref(listing);
    expect(href).toBe("/users?search=Ada+%26+co%3F&sort=-lastLoginAt&page=12");
    expect(readListing(Object.fromEntries(new URL(href, "http://x").searchParams))).toEqual(listing);
  });

  it.each([
    [{ sort: "passwordHash" }],
    [{ sort: ["name", "email"] }],
    [{ page: "0" }],
    [{ page: "x" }],
    [{ page: ["2", "3"] }],
    [{ search: "x".repeat(255) }],
    [{ search: "a\0b" }],
    [{ search: ["a", "b"] }],
    [{ unknown: "x" }],
  ])("ignores values that the route refuses: %j", (query) => {
    expect(readListing(query)).toEqual({ search: "", sort: "name", page: 1 });
  });

  it("reverses the order of a column with every click, and starts times with the newest", () => {
    expect([nextSort("name", "email"), nextSort("name", "name"), nextSort("name", "-name")]).toEqual([
      "name",
      "-name",
      "name",
    ]);
    expect([nextSort("lastLoginAt", "name"), nextSort("lastLoginAt", "-lastLoginAt")]).toEqual([
      "-lastLoginAt",
      "lastLoginAt",
    ]);
    expect([directionOf("name", "name"), directionOf("name", "-name"), directionOf("email", "name")]).toEqual([
      "ascending",
      "descending",
      undefined,
    ]);
  });
});

describe("a generated password", () => {
  it("is valid, unique, and has no easily confused symbols", () => {
    const made = Array.from({ length: 500 }, newPassword);
    for (const text of made) {
      expect(text).toMatch(/^(?:[a-km-np-z2-9]{5}-){3}[a-km-np-z2-9]{5}$/);
      expect(password.safeParse(text).success).toBe(true);
    }
    expect(new Set(made).size).toBe(500);
    expect(new Set(made.join("").replaceAll("-", "")).size).toBe(32);
  });
});
