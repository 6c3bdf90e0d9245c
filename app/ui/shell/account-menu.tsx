"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { useRouter } from "next/navigation";
import { type ReactNode, useRef } from "react";
import { ChevronDown } from "../content/icons.tsx";
import { signOut } from "./sign-out.tsx";

type MenuItem = {
  label: string;
  onSelect: () => void;
};

type MenuProps = {
  /** The accessible name of the button. */
  label: string;
  /** The content of the button. */
  children: ReactNode;
  items: MenuItem[];
  /** A line above the items. */
  heading: ReactNode;
  /** Class names of the button. */
  className: string;
};

/** A button that opens a list of actions. */
function Menu({ label, children, items, heading, className }: MenuProps) {
  // The popup belongs in the landmark of its button: at the end of the body it would be in none.
  const container = useRef<HTMLSpanElement>(null);
  return (
    <Base.Root>
      <Base.Trigger aria-label={label} className={className}>
        {children}
      </Base.Trigger>
      <span ref={container} className="absolute" />
      <Base.Portal container={container}>
        <Base.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-20">
          <Base.Popup className="popup min-w-44 max-w-[calc(100vw-1rem)] p-1 outline-none">
            <Base.Group>
              <Base.GroupLabel className="truncate border-line border-b px-3 pt-1.5 pb-2 text-soft text-sm">
                {heading}
              </Base.GroupLabel>
              {items.map(({ label: text, onSelect }) => (
                <Base.Item
                  key={text}
                  onClick={onSelect}
                  className="rounded-md px-3 py-2 text-[0.9375rem] outline-none data-highlighted:bg-ink/8"
                >
                  {text}
                </Base.Item>
              ))}
            </Base.Group>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The first letters of up to two words, in any script. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2);
  return words.map((word) => [...word][0]?.toUpperCase() ?? "").join("");
}

/** The menu of the signed-in user. */
export function AccountMenu({ name, email }: { name: string; email: string }) {
  const router = useRouter();
  return (
    <Menu
      label={`Account of ${name}`}
      className="flex max-w-52 items-center gap-2 rounded-full border border-line bg-surface p-0.5 text-sm sm:pr-2.5"
      heading={email}
      items={[
        { label: "Account", onSelect: () => router.push("/account") },
        { label: "Sign out", onSelect: () => void signOut() },
      ]}
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
    </Menu>
  );
}
