"use client";

import { usePathname } from "next/navigation";
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { ChevronDown } from "../content/icons.tsx";
import { PageLink } from "../page/page-link.tsx";
import { signOut } from "./sign-out.tsx";

/** The first letters of up to two words, in any script. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => [...word][0]?.toUpperCase() ?? "").join("");
}

const ITEM = "block w-full rounded-md px-3 py-2 text-left text-[0.9375rem] hover:bg-ink/8";

/** What a button opens: until the reader leaves it, presses Escape, or moves to another page. */
function usePopup() {
  const path = usePathname();
  const button = useRef<HTMLButtonElement>(null);
  const [openOn, setOpenOn] = useState<string | null>(null);
  const isOpen = openOn === path;
  const close = () => setOpenOn(null);
  const frame = {
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || !isOpen) return;
      close();
      button.current?.focus();
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) close();
    },
  };
  const toggle = () => {
    // Safari, and Firefox on a Mac, do not focus a button that is clicked. Then nothing would lose the focus.
    button.current?.focus();
    setOpenOn(isOpen ? null : path);
  };
  return { button, frame, path, isOpen, close, toggle };
}

/** The menu of the signed-in user. */
export function AccountMenu({ name, email }: { name: string; email: string }) {
  const id = useId();
  const { button, frame, path, isOpen, close, toggle } = usePopup();
  const follow = () => {
    // The menu closes once the next page is shown, and its link with it. Until then the link shows progress. The button keeps the focus.
    button.current?.focus();
    if (path === "/account") close();
  };
  return (
    // It hears of keys and of the focus that leaves. Its controls are the buttons in it.
    <div {...frame} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={`Account of ${name}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={toggle}
        className="flex max-w-52 items-center gap-2 rounded-full border border-line bg-surface p-0.5 text-sm sm:pr-2.5"
      >
        {/* Drawn by the style sheet: initials are no text that a reader would say to activate the button. */}
        <span
          data-initials={initialsOf(name)}
          className="grid size-7 flex-none place-items-center rounded-full bg-ink font-medium text-[0.6875rem] text-paper before:content-[attr(data-initials)]"
        />
        <span className="hidden truncate sm:inline">{name}</span>
        <span className="hidden text-soft sm:inline">
          <ChevronDown />
        </span>
      </button>
      {isOpen && (
        // It takes the focus of a click between its items, so that it stays open.
        <div
          id={id}
          tabIndex={-1}
          className="popup absolute top-full right-0 z-20 mt-1.5 w-max min-w-44 max-w-60 p-1 outline-none"
        >
          <p className="truncate border-line border-b px-3 pt-1.5 pb-2 text-soft text-sm">{email}</p>
          <PageLink href="/account" onNavigate={follow} className={ITEM}>
            Account
          </PageLink>
          <button type="button" onClick={() => void signOut()} className={ITEM}>
            Sign out
          </button>
        </div>
      )}
    </div>
  );
}
