"use client";

import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import { TextField } from "./text-field.tsx";
import { useSubmit } from "./use-submit.ts";

type ConfirmDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The question, with the name of what it is about. */
  title: ReactNode;
  /** What will happen, and what will stop working. */
  children: ReactNode;
  /** What the button does, as a verb with its object. */
  action: string;
  tone?: "primary" | "danger";
  /** What has to be typed before the button works. */
  typed?: { label: ReactNode; text: string };
  /** The dialog closes when it resolves, and shows what it throws. */
  onConfirm: () => Promise<void>;
  /** Called once it is done and the dialog is gone, when the focus is back: what takes the button that asked away. */
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

/** Asks before something that cannot be undone. A click outside does not answer it; what came of an answer is seen. */
export function ConfirmDialog({ isOpen, onOpenChange, title, children, onConfirmed, ...form }: ConfirmDialogProps) {
  const [isHeld, setHeld] = useState(false);
  const isDone = useRef(false);
  const done = () => {
    isDone.current = true;
    onOpenChange(false);
  };
  const leave = (isShown: boolean) => {
    if (isShown || !isDone.current) return;
    isDone.current = false;
    onConfirmed?.();
  };
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(willBeOpen) => !isHeld && onOpenChange(willBeOpen)}
      onOpenChangeComplete={leave}
    >
      <DialogFrame className="max-w-md" onHold={setHeld}>
        <Base.Title className="font-display font-semibold text-xl">{title}</Base.Title>
        <Base.Description render={<div />} className="mt-2 text-soft">
          {children}
        </Base.Description>
        <ConfirmForm {...form} onDone={done} />
      </DialogFrame>
    </Base.Root>
  );
}
