"use client";

import { type ReactNode, useId } from "react";
import type { Subject } from "./act-on-user.ts";
import { LAST_ADMINISTRATOR } from "./last-administrator-words.ts";

type Guard = { disabled: boolean; "aria-describedby": string | undefined };

/** A button that is off for the last administrator, with the reason below it for everyone to read. */
export function Guarded({
  subject,
  children,
}: {
  subject: Pick<Subject, "isLastAdministrator">;
  children: (guard: Guard) => ReactNode;
}) {
  const id = useId();
  const isOff = subject.isLastAdministrator;
  return (
    <>
      {children({ disabled: isOff, "aria-describedby": isOff ? id : undefined })}
      {isOff && (
        <p id={id} className="mt-2.5 max-w-prose text-soft text-sm">
          {LAST_ADMINISTRATOR}
        </p>
      )}
    </>
  );
}
