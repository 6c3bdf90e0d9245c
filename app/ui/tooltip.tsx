"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import { type ReactElement, type ReactNode, useRef } from "react";

type TooltipProps = {
  text: ReactNode;
  /** The control it is about, which has a name of its own: touch screens never show this. */
  children: ReactElement;
};

/** A word more about a control, on hover and focus. */
export function Tooltip({ text, children }: TooltipProps) {
  // Within the landmark that the control is in: at the end of the page it would be in none.
  const place = useRef<HTMLSpanElement>(null);
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <span ref={place} className="absolute" />
      <Base.Portal container={place}>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-20">
          <Base.Popup className="popup max-w-72 px-2.5 py-1.5 text-sm">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
