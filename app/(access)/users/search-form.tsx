"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useState, useTransition } from "react";
import { Button } from "../../ui/form/button.tsx";
import { Select } from "../../ui/form/select.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { type Listing, listingHref, SORTS, type Sort } from "./listing.ts";

/** How long typing has to pause before the search starts. */
const TYPING_PAUSE_MS = 250;

/** The longest possible email, and the limit of the route. */
const SEARCH_MAX_CHARS = 254;

/** Searches while the reader types. */
function useLiveSearch(listing: Listing) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [text, setText] = useState(listing.search);
  const requested = useRef(listing.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Something else has changed the address, such as the back button.
    if (isPending || listing.search === requested.current) return;
    requested.current = listing.search;
    setText(listing.search);
  }, [isPending, listing.search]);
  const go = (search: string, sort: Sort = listing.sort) => {
    clearTimeout(timer.current);
    requested.current = search.trim();
    startTransition(() => router.replace(listingHref({ search: requested.current, sort, page: 1 }), { scroll: false }));
  };
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go(typed), TYPING_PAUSE_MS);
  };
  return { text, type, go, isPending };
}

/** Searches for users. Without scripts it is a plain form. */
export function SearchForm({ listing }: { listing: Listing }) {
  const { text, type, go, isPending } = useLiveSearch(listing);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(text);
  };
  const orders = SORTS.some(({ value }) => value === listing.sort)
    ? SORTS
    : [{ value: listing.sort, label: "As in the table" }, ...SORTS];
  return (
    <search>
      <form action="/users" onSubmit={submit} className="mb-6 flex flex-wrap items-end gap-3">
        <TextField
          label="Name or email"
          type="search"
          name="search"
          value={text}
          maxLength={SEARCH_MAX_CHARS}
          onChange={(event) => type(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          className="min-w-0 flex-1 sm:max-w-96"
        />
        <Button type="submit" isPending={isPending}>
          Search
        </Button>
        <Select
          label="Order"
          name="sort"
          value={listing.sort}
          options={orders}
          onChange={(event) => go(text, event.target.value as Sort)}
          className="w-full sm:hidden"
        />
      </form>
    </search>
  );
}
