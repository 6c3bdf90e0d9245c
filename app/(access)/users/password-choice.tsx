"use client";

import { useState } from "react";
import { PasswordField } from "../../ui/password-field.tsx";
import { newPassword } from "./new-password.ts";

type Way = "generated" | "typed";

const WAYS: { way: Way; label: string }[] = [
  { way: "generated", label: "Generate one, and show it once" },
  { way: "typed", label: "Type one" },
];

export type PasswordChoice = {
  way: Way;
  typed: string;
  change: (choice: { way?: Way; typed?: string }) => void;
  /** The password to set; another one with each call where it is generated. */
  take: () => { password: string; isGenerated: boolean };
};

/** Where the password of somebody else comes from: at first from here. */
export function usePasswordChoice(): PasswordChoice {
  const [choice, setChoice] = useState<{ way: Way; typed: string }>({ way: "generated", typed: "" });
  const isGenerated = choice.way === "generated";
  return {
    ...choice,
    change: (changed) => setChoice((before) => ({ ...before, ...changed })),
    take: () => ({ password: isGenerated ? newPassword() : choice.typed, isGenerated }),
  };
}

/** Asks for that. */
export function PasswordFields({ choice, error }: { choice: PasswordChoice; error: string | undefined }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">Password</legend>
      {WAYS.map(({ way, label }) => (
        <label key={way} className="flex items-center gap-2.5 text-[0.9375rem]">
          <input
            type="radio"
            name="password-way"
            checked={choice.way === way}
            onChange={() => choice.change({ way })}
            className="size-4 accent-ink"
          />
          {label}
        </label>
      ))}
      {choice.way === "typed" && (
        <PasswordField
          label="The password"
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
