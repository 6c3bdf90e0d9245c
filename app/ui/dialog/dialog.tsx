"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useState } from "react";
import { Cross } from "../content/icons.tsx";
import { SubmitPendingContext } from "../form/use-submit.ts";

type DialogFrameProps = {
  /** Sets the maximum width. */
  className: string;
  /** Called when a form in the dialog starts or ends a submission. */
  onPendingChange: (isPending: boolean) => void;
  children: ReactNode;
};

/** The popup of a dialog: centred in a wide window, at the bottom of a narrow one. */
export function DialogFrame({ className, onPendingChange, children }: DialogFrameProps) {
  return (
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 bg-scrim transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Viewport className="fixed inset-0 grid items-end justify-items-center overflow-y-auto p-3 sm:items-center sm:p-6">
        <Base.Popup className={`popup relative w-full min-w-0 p-5 [overflow-wrap:anywhere] sm:p-6 ${className}`}>
          <SubmitPendingContext value={onPendingChange}>{children}</SubmitPendingContext>
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  );
}

type DialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** A click outside does not close it, so that no input is lost. */
  ignoresOutsideClicks?: boolean;
};

/** A modal dialog. The focus returns to where it was. Escape closes it, except while a form in it is submitting. */
export function Dialog({ isOpen, onOpenChange, title, description, children, ignoresOutsideClicks }: DialogProps) {
  const [isPending, setPending] = useState(false);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(willBeOpen) => !isPending && onOpenChange(willBeOpen)}
      disablePointerDismissal={ignoresOutsideClicks}
    >
      <DialogFrame className="max-w-lg" onPendingChange={setPending}>
        <Base.Title className="pr-9 font-display font-semibold text-xl">{title}</Base.Title>
        {description !== undefined && <Base.Description className="mt-1.5 text-soft">{description}</Base.Description>}
        <div className="mt-5">{children}</div>
        <Base.Close
          aria-label="Close"
          aria-disabled={isPending || undefined}
          className="absolute top-4 right-4 grid size-8 place-items-center rounded-md text-soft hover:text-ink aria-disabled:opacity-55"
        >
          <Cross />
        </Base.Close>
      </DialogFrame>
    </Base.Root>
  );
}
