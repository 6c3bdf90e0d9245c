"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { currentness } from "./currentness.ts";
import { Cross, MenuLines } from "./icons.tsx";
import type { NavigationItem } from "./navigation-items.ts";

/** The gallery's templates are below `/`. */
function belowOf(href: string): string {
  return href === "/" ? "/templates/" : `${href}/`;
}

function NavigationLink({ item, path }: { item: NavigationItem; path: string }) {
  return (
    <li>
      <Link
        href={item.href}
        // Every page is made when it is asked for: what nobody goes to is not worth making.
        prefetch={false}
        aria-current={currentness(path, { href: item.href, below: belowOf(item.href) })}
        className="block border-l-2 border-transparent py-2.5 pl-3 text-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink lg:border-b-2 lg:border-l-0 lg:px-0.5 lg:py-1"
      >
        {item.label}
      </Link>
    </li>
  );
}

/** The way around: a line of links where there is room, otherwise a list that a button opens. */
export function Navigation({ items }: { items: NavigationItem[] }) {
  const path = usePathname();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === path;
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpenAt(null);
      button.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label="Menu"
        onClick={() => setOpenAt(isOpen ? null : path)}
        className="order-last grid size-9 place-items-center rounded-md border border-line bg-surface lg:hidden"
      >
        {isOpen ? <Cross /> : <MenuLines />}
      </button>
      <nav
        id={id}
        aria-label="Main"
        className={`${isOpen ? "block" : "hidden"} order-last basis-full pb-3 lg:order-none lg:mr-auto lg:block lg:basis-auto lg:pb-0`}
      >
        <ul className="lg:flex lg:gap-6">
          {items.map((item) => (
            <NavigationLink key={item.href} item={item} path={path} />
          ))}
        </ul>
      </nav>
    </>
  );
}
