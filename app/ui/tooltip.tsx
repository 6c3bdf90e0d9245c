"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

type TooltipProps = {
  text: ReactNode;
  /** The control it is about, which has a name of its own: touch screens never show this. */
  children: ReactElement;
};

/** A word more about a control, on hover and focus. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8}>
          <Base.Popup className="popup max-w-72 px-2.5 py-1.5 text-sm">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
