"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { FailureNotice } from "../../ui/failure-notice.tsx";
import { notify } from "../../ui/notify.ts";
import { PasswordField } from "../../ui/password-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

const FIELDS = ["/currentPassword", "/newPassword"];
const EMPTY = { currentPassword: "", newPassword: "" };

/** As the service counts them: an emoji is one. */
function countCharacters(text: string): number {
  return [...text].length;
}

/** Changes one's own password. `email` tells password managers whose it is. */
export function PasswordForm({ email }: { email: string }) {
  const router = useRouter();
  const [passwords, setPasswords] = useState(EMPTY);
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    await send("POST", "/api/service/account/password", passwords);
    setPasswords(EMPTY);
    notify("Changed the password. All your other sessions have ended.");
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
          Change the password
        </Button>
      </div>
    </form>
  );
}
