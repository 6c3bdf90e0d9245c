"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useState, useTransition } from "react";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type Listing, listingHref, SORTS, type Sort } from "./listing.ts";

/** Long enough for the next letter, too short to be waited for. */
const PAUSE_MS = 250;

/** The longest email there is, and what the route accepts. */
const SEARCH_MAX_CHARS = 254;

/** Goes to the list of what is typed, once the typing pauses. */
function useLiveSearch(listing: Listing) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [text, setText] = useState(listing.search);
  const asked = useRef(listing.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The address was changed by something else, such as the button for the page before.
    if (isPending || listing.search === asked.current) return;
    asked.current = listing.search;
    setText(listing.search);
  }, [isPending, listing.search]);
  const go = (search: string, sort: Sort = listing.sort) => {
    clearTimeout(timer.current);
    asked.current = search.trim();
    startTransition(() => router.replace(listingHref({ search: asked.current, sort, page: 1 }), { scroll: false }));
  };
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go(typed), PAUSE_MS);
  };
  return { text, type, go, isPending };
}

/** Finds users while one types; without scripts, when the form is sent. */
export function SearchForm({ listing }: { listing: Listing }) {
  const { text, type, go, isPending } = useLiveSearch(listing);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(text);
  };
  const orders = SORTS.some(({ value }) => value === listing.sort)
    ? SORTS
    : [{ value: listing.sort, label: "As the columns say" }, ...SORTS];
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
