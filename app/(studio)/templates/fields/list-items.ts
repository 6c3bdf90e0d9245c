"use client";

import { useEffect, useRef, useState } from "react";
import type { ListDeclaration } from "#lib/templates/fields/field-types.ts";
import { MAX_LIST_ITEMS } from "#lib/templates/fields/list-limits.ts";
import type { EditValue } from "../edits.ts";

export type ListItem = Record<string, EditValue>;

/** The items of an edit or of a variant. */
export function readItems(value: EditValue | undefined): ListItem[] {
  return Array.isArray(value) ? (value as ListItem[]) : [];
}

/** The most items that the service takes. */
export function mostItems({ max, overflow }: ListDeclaration): number {
  return overflow === "refuse" ? max : MAX_LIST_ITEMS;
}

/** What a reader calls an item: its first text or number. */
export function itemWords({ item }: ListDeclaration, values: ListItem): string {
  const names = Object.keys(item).filter((name) =>
    ["text", "number", "select", "date"].includes(item[name]?.type ?? ""),
  );
  const found = names.map((name) => values[name]).find((value) => value !== undefined && value !== "");
  return typeof found === "object" ? "" : String(found ?? "");
}

type ListState = {
  declaration: ListDeclaration;
  items: ListItem[];
  onChange: (items: ListItem[]) => void;
};

/** What tells items apart, however they move, and the last number that was given. */
type Keys = { keys: number[]; last: number };

/** Counted for each list: a page that is drawn on the server has the keys of the browser then, and not those of its last page. */
function newKeys(count: number, last: number): Keys {
  return { keys: Array.from({ length: count }, (_, index) => last + 1 + index), last: last + count };
}

/** Adds, removes and moves items. Every change is announced, and the focus goes to what the reader needs next. */
export function useListItems({ declaration, items, onChange }: ListState) {
  const root = useRef<HTMLFieldSetElement>(null);
  const [{ keys, last }, setKeys] = useState(() => newKeys(items.length, 0));
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [message, setMessage] = useState("");
  /** What gets the focus once the list is drawn with the change, and not with an earlier one. */
  const [focused, setFocused] = useState<{ selector: string }>();
  if (keys.length !== items.length) setKeys(newKeys(items.length, last));
  useEffect(() => {
    if (focused !== undefined) root.current?.querySelector<HTMLElement>(focused.selector)?.focus();
  }, [focused]);
  const change = (next: { items: ListItem[]; keys: number[]; message: string; focus: string }) => {
    setKeys({ keys: next.keys, last: Math.max(last, ...next.keys) });
    setMessage(next.message);
    setFocused({ selector: next.focus });
    onChange(next.items);
  };
  const wordsAt = (index: number) => itemWords(declaration, items[index] ?? {}) || `Item ${index + 1}`;
  const add = () => {
    const key = last + 1;
    const count = items.length + 1;
    setOpen((before) => new Set([...before, key]));
    const focus = `[data-item="${key}"] :is(input, textarea, select)`;
    change({ items: [...items, {}], keys: [...keys, key], message: `Item ${count} added.`, focus });
  };
  const remove = (index: number) => {
    const rest = keys.filter((_, at) => at !== index);
    const neighbour = rest[index] ?? rest[index - 1];
    const focus = neighbour === undefined ? "[data-add]" : `[data-item="${neighbour}"] [data-toggle]`;
    const message = `${wordsAt(index)} removed. ${rest.length === 1 ? "1 item is" : `${rest.length} items are`} left.`;
    change({ items: items.filter((_, at) => at !== index), keys: rest, message, focus });
  };
  const move = (index: number, by: 1 | -1) => {
    const to = index + by;
    if (to < 0 || to >= items.length) return;
    const swapped = <T>(list: T[]) => list.with(index, list[to] as T).with(to, list[index] as T);
    const focus = `[data-item="${keys[index]}"] [data-move="${by}"]`;
    const message = `${wordsAt(index)} moved to ${to + 1} of ${items.length}.`;
    change({ items: swapped(items), keys: swapped(keys), message, focus });
  };
  const toggle = (index: number) => {
    const key = keys[index] ?? 0;
    setOpen((before) => new Set(before.has(key) ? [...before].filter((other) => other !== key) : [...before, key]));
  };
  const edit = (index: number, name: string, value: EditValue) =>
    onChange(items.map((item, at) => (at === index ? { ...item, [name]: value } : item)));
  return { root, keys, open, message, add, remove, move, toggle, edit };
}
