"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
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

/** A task in front of the page. Focus goes in, stays in, and comes back to where it was; Escape closes. */
export function Dialog({ isOpen, onOpenChange, title, description, children, isPressProof }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange} disablePointerDismissal={isPressProof}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 bg-scrim transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 grid items-end justify-items-center overflow-y-auto p-3 sm:items-center sm:p-6">
          <Base.Popup className="popup relative w-full max-w-lg p-5 sm:p-6">
            <Base.Title className="pr-9 font-display font-semibold text-xl">{title}</Base.Title>
            {description !== undefined && (
              <Base.Description className="mt-1.5 text-soft">{description}</Base.Description>
            )}
            <div className="mt-5">{children}</div>
            <Base.Close
              aria-label="Close"
              className="absolute top-4 right-4 grid size-8 place-items-center rounded-md text-soft hover:text-ink"
            >
              <Cross />
            </Base.Close>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
