"use client";

import { useEffect, useState } from "react";
import { Button, type ButtonSize, type ButtonTone } from "../form/button.tsx";
import { Check, Copy } from "./icons.tsx";

/** Copies a selection, which works over plain http too. @returns whether it worked */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.setAttribute("aria-hidden", "true");
  area.style.cssText = "position:fixed;opacity:0;pointer-events:none";
  // Inside an open dialog, because its focus trap would take the focus back from anywhere else.
  (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

/** Copies text to the clipboard. @returns whether it worked */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure context or the permission there is no clipboard API.
    return copyBySelection(text);
  }
}

type CopyButtonProps = {
  text: string;
  /** Such as "Copy the token". */
  label?: string;
  size?: ButtonSize;
  tone?: ButtonTone;
  className?: string;
};

/** How long the outcome is shown, in milliseconds. */
const OUTCOME_SHOWN_MS = 4000;

/** Copies text, and shows and announces whether that worked. */
export function CopyButton({ text, label = "Copy", size = "small", tone, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), OUTCOME_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text)) ? "copied" : "failed");
  const message = outcome === "failed" ? "Could not copy: select it and copy by hand" : "Copied";
  return (
    <span className={`inline-flex flex-wrap items-center gap-2 ${className ?? ""}`}>
      <Button size={size} tone={tone} onClick={() => void copy()}>
        {outcome === "copied" ? <Check /> : <Copy />}
        {label}
      </Button>
      <span role="status" className={`text-sm ${outcome === "failed" ? "text-danger" : "text-good"}`}>
        {outcome && message}
      </span>
    </span>
  );
}
