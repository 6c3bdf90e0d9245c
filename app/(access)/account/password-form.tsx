"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../ui/api/api.ts";
import { FailureNotice } from "../../ui/feedback/notice.tsx";
import { notify } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { useSubmit } from "../../ui/form/use-submit.ts";

const FIELDS = ["/currentPassword", "/newPassword"];
const EMPTY = { currentPassword: "", newPassword: "" };

/** Counts code points, as the service does. */
function countCharacters(text: string): number {
  return [...text].length;
}

/** Changes the password of the reader. `email` tells password managers which account it belongs to. */
export function PasswordForm({ email }: { email: string }) {
  const router = useRouter();
  const [passwords, setPasswords] = useState(EMPTY);
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    await send("POST", "/api/service/account/password", passwords);
    setPasswords(EMPTY);
    notify("Password changed. Your other sessions have ended.");
    router.refresh();
  });
  const length = countCharacters(passwords.newPassword);
  return (
    <form onSubmit={submit} method="post" noValidate className="flex max-w-2xl flex-col gap-5">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          value={passwords.currentPassword}
          onChange={(event) => setPasswords({ ...passwords, currentPassword: event.target.value })}
          error={issueAt("/currentPassword")}
        />
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          help="12 to 256 characters of any kind. Several words are easy to remember."
          counter={length > 0 ? `${length} / 256` : undefined}
          value={passwords.newPassword}
          onChange={(event) => setPasswords({ ...passwords, newPassword: event.target.value })}
          error={issueAt("/newPassword")}
        />
      </div>
      <FailureNotice failure={failure} fields={FIELDS} />
      <div>
        <Button type="submit" tone={length > 0 ? "primary" : "secondary"} isPending={isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
