"use client";

import { useId } from "react";
import { CopyButton } from "./copy-button.tsx";

type SecretBoxProps = {
  /** Such as "Token". */
  label: string;
  secret: string;
  /** What to do with it. */
  help: string;
};

/** A secret that is shown once. Focusing it selects all of it. */
export function SecretBox({ label, secret, help }: SecretBoxProps) {
  const id = useId();
  return (
    <div className="rounded-lg border-2 border-warn bg-surface p-4">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <input
        id={id}
        readOnly
        value={secret}
        onFocus={(event) => event.target.select()}
        aria-describedby={`${id}-once`}
        autoComplete="off"
        spellCheck={false}
        className="control mt-1.5 font-mono text-sm"
      />
      <p id={`${id}-once`} className="mt-2 text-sm">
        <strong className="font-semibold text-warn">Copy it now: it will not be shown again.</strong> {help}
      </p>
      <CopyButton text={secret} label={`Copy the ${label.toLowerCase()}`} tone="primary" className="mt-3" />
    </div>
  );
}
