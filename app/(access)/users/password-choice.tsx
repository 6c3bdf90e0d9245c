"use client";

import { useEffect, useRef, useState } from "react";
import { SecretBox } from "../../ui/content/secret-box.tsx";
import { Button } from "../../ui/form/button.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { newPassword } from "./new-password.ts";

type PasswordSource = "generated" | "typed";

const SOURCES: { source: PasswordSource; label: string }[] = [
  { source: "generated", label: "Generate a password" },
  { source: "typed", label: "Enter a password" },
];

export type PasswordChoice = {
  source: PasswordSource;
  typed: string;
  change: (choice: { source?: PasswordSource; typed?: string }) => void;
  /** The password to set. Each call generates a new one, unless it was entered. */
  take: () => { password: string; isGenerated: boolean };
};

/** Whether the password of another user is generated (the default) or entered. */
export function usePasswordChoice(): PasswordChoice {
  const [choice, setChoice] = useState<{ source: PasswordSource; typed: string }>({ source: "generated", typed: "" });
  const isGenerated = choice.source === "generated";
  return {
    ...choice,
    change: (changed) => setChoice((before) => ({ ...before, ...changed })),
    take: () => ({ password: isGenerated ? newPassword() : choice.typed, isGenerated }),
  };
}

export function PasswordFields({ choice, error }: { choice: PasswordChoice; error: string | undefined }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">Password</legend>
      {SOURCES.map(({ source, label }) => (
        <label key={source} className="flex items-center gap-2.5 text-[0.9375rem]">
          <input
            type="radio"
            name="password-source"
            checked={choice.source === source}
            onChange={() => choice.change({ source })}
            className="size-4 accent-ink"
          />
          {label}
        </label>
      ))}
      {choice.source === "typed" && (
        <PasswordField
          label="New password"
          value={choice.typed}
          onChange={(event) => choice.change({ typed: event.target.value })}
          autoComplete="new-password"
          help="12 to 256 characters."
          error={error}
          className="mt-1"
        />
      )}
    </fieldset>
  );
}

type GeneratedPasswordProps = {
  password: string;
  /** What to do with it. */
  help: string;
  /** The label of the button. */
  doneLabel: string;
  onDone: () => void;
};

/** Shows a generated password once. It replaces the form, and takes its focus. */
export function GeneratedPassword({ password, help, doneLabel, onDone }: GeneratedPasswordProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.focus(), []);
  return (
    <div ref={container} tabIndex={-1} className="flex flex-col gap-5 outline-none">
      <SecretBox label="Password" secret={password} help={help} />
      <Button className="self-end" onClick={onDone}>
        {doneLabel}
      </Button>
    </div>
  );
}
