"use client";

import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { type ReactNode, useRef, useState } from "react";
import { FailureNotice } from "../feedback/notice.tsx";
import { Button } from "../form/button.tsx";
import { TextField } from "../form/text-field.tsx";
import { useSubmit } from "../form/use-submit.ts";
import { DialogFrame } from "./dialog.tsx";

type ConfirmDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The question, with the name of the object. */
  title: ReactNode;
  /** What will happen. */
  children: ReactNode;
  /** The label of the button: a verb with its object. */
  action: string;
  tone?: "primary" | "danger";
  /** A text that has to be typed before the button works. */
  typed?: { label: ReactNode; text: string };
  /** The dialog closes when this resolves, and shows the error when it rejects. */
  onConfirm: () => Promise<void>;
  /**
   * Called after the dialog has closed and the focus has returned: the place for an update that removes the opener, or that
   * changes what the dialog says.
   */
  onConfirmed?: () => void;
};

type FormProps = Pick<ConfirmDialogProps, "action" | "tone" | "typed" | "onConfirm"> & { onDone: () => void };

function ConfirmForm({ action, tone = "primary", typed, onConfirm, onDone }: FormProps) {
  const [text, setText] = useState("");
  const { isPending, failure, submit } = useSubmit(async () => {
    await onConfirm();
    onDone();
  });
  const isBlocked = typed !== undefined && text.trim() !== typed.text;
  return (
    <form onSubmit={submit} className="mt-5 flex flex-col gap-4">
      {typed && (
        <TextField
          label={typed.label}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <FailureNotice failure={failure} />
      <div className="flex flex-wrap justify-end gap-3">
        <Base.Close
          render={
            <Button aria-disabled={isPending} className="aria-disabled:opacity-55">
              Cancel
            </Button>
          }
        />
        <Button type="submit" tone={tone} isPending={isPending} disabled={isBlocked}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Asks for confirmation. A click outside does not close it. */
export function ConfirmDialog({ isOpen, onOpenChange, title, children, onConfirmed, ...form }: ConfirmDialogProps) {
  const [isPending, setPending] = useState(false);
  const isDone = useRef(false);
  const close = () => {
    isDone.current = true;
    onOpenChange(false);
  };
  const onOpenChangeComplete = (isShown: boolean) => {
    if (isShown || !isDone.current) return;
    isDone.current = false;
    onConfirmed?.();
  };
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(willBeOpen) => !isPending && onOpenChange(willBeOpen)}
      onOpenChangeComplete={onOpenChangeComplete}
    >
      <DialogFrame className="max-w-md" onPendingChange={setPending}>
        <Base.Title className="font-display font-semibold text-xl">{title}</Base.Title>
        <Base.Description render={<div />} className="mt-2 text-soft">
          {children}
        </Base.Description>
        <ConfirmForm {...form} onDone={close} />
      </DialogFrame>
    </Base.Root>
  );
}
