"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { type ReactNode, useRef } from "react";

type MenuItem = {
  label: string;
  onSelect: () => void;
};

type MenuProps = {
  /** What screen readers call the button. */
  label: string;
  /** What the button shows. */
  children: ReactNode;
  items: MenuItem[];
  /** A line above the items. */
  heading?: ReactNode;
  /** The button's look. */
  className?: string;
};

/** A button that opens a list of things to do. */
export function Menu({ label, children, items, heading, className }: MenuProps) {
  // Within the landmark that the button is in: at the end of the page it would be in none.
  const place = useRef<HTMLSpanElement>(null);
  return (
    <Base.Root>
      <Base.Trigger aria-label={label} className={className}>
        {children}
      </Base.Trigger>
      <span ref={place} className="absolute" />
      <Base.Portal container={place}>
        <Base.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-20">
          <Base.Popup className="popup min-w-44 max-w-[calc(100vw-1rem)] p-1 outline-none">
            <Base.Group>
              {heading !== undefined && (
                <Base.GroupLabel className="truncate border-line border-b px-3 pt-1.5 pb-2 text-soft text-sm">
                  {heading}
                </Base.GroupLabel>
              )}
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
