"use client";

import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import type { ButtonSize, ButtonTone } from "./button-look.ts";
import { copyText } from "./copy-text.ts";
import { Check, Copy } from "./icons.tsx";

type CopyButtonProps = {
  text: string;
  /** What it copies, such as "Copy the token". */
  label?: string;
  size?: ButtonSize;
  tone?: ButtonTone;
  className?: string;
};

/** How long it says what came of it, in milliseconds. */
const SAID_FOR_MS = 4000;

/** Copies text, and says whether that worked, to everyone. */
export function CopyButton({ text, label = "Copy", size = "small", tone, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text)) ? "copied" : "failed");
  const said = outcome === "failed" ? "Could not copy: select it and copy by hand" : "Copied";
  return (
    <span className={`inline-flex flex-wrap items-center gap-2 ${className ?? ""}`}>
      <Button size={size} tone={tone} onClick={() => void copy()}>
        {outcome === "copied" ? <Check /> : <Copy />}
        {label}
      </Button>
      <span role="status" className={`text-sm ${outcome === "failed" ? "text-danger" : "text-good"}`}>
        {outcome && said}
      </span>
    </span>
  );
}
