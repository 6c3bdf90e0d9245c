"use client";

import { usePathname } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { Cross, MenuLines } from "../content/icons.tsx";
import { LinkButton } from "../form/button.tsx";
import { loginPath } from "../page/local-path.ts";
import { PageLink } from "../page/page-link.tsx";
import { ariaCurrent } from "./aria-current.ts";

export type NavigationItem = { href: string; label: string };

/** The prefix of the pages that belong to a link. Templates belong to the gallery at `/`. */
function prefixOf(href: string): string {
  return href === "/" ? "/templates/" : `${href}/`;
}

function NavigationLink({ item, path }: { item: NavigationItem; path: string }) {
  return (
    <li>
      <PageLink
        href={item.href}
        aria-current={ariaCurrent(path, { href: item.href, prefix: prefixOf(item.href) })}
        className="block border-l-2 border-transparent py-2.5 pl-3 text-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink forced-colors:not-aria-[current]:border-[Canvas] lg:border-b-2 lg:border-l-0 lg:px-0.5 lg:py-1"
      >
        {item.label}
      </PageLink>
    </li>
  );
}

/** The main navigation: a row of links in a wide window, a menu behind a button in a narrow one. */
export function Navigation({ items }: { items: NavigationItem[] }) {
  const path = usePathname();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [openOn, setOpenOn] = useState<string | null>(null);
  const isOpen = openOn === path;
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpenOn(null);
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
        onClick={() => setOpenOn(isOpen ? null : path)}
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

/** Links to the sign-in page, which leads back to this page. The sign-in page itself does not show it. */
export function SignInLink() {
  const path = usePathname();
  if (path === "/login") return null;
  return (
    <LinkButton href={loginPath(path)} size="small">
      Sign in
    </LinkButton>
  );
}
