"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useState } from "react";
import { DialogFrame } from "./dialog-frame.tsx";
import { Cross } from "./icons.tsx";

type DialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** A press outside does not close it, because something in it would be lost. */
  isPressProof?: boolean;
};

/** A task in front of the page. Focus goes in, stays in, and comes back to where it was; Escape closes, unless a form is under way. */
export function Dialog({ isOpen, onOpenChange, title, description, children, isPressProof }: DialogProps) {
  const [isHeld, setHeld] = useState(false);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(willBeOpen) => !isHeld && onOpenChange(willBeOpen)}
      disablePointerDismissal={isPressProof}
    >
      <DialogFrame className="max-w-lg" onHold={setHeld}>
        <Base.Title className="pr-9 font-display font-semibold text-xl">{title}</Base.Title>
        {description !== undefined && <Base.Description className="mt-1.5 text-soft">{description}</Base.Description>}
        <div className="mt-5">{children}</div>
        <Base.Close
          aria-label="Close"
          aria-disabled={isHeld || undefined}
          className="absolute top-4 right-4 grid size-8 place-items-center rounded-md text-soft hover:text-ink aria-disabled:opacity-55"
        >
          <Cross />
        </Base.Close>
      </DialogFrame>
    </Base.Root>
  );
}
