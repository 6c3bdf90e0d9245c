"use client";

import { send } from "../../ui/api/api.ts";
import { FailureNotice } from "../../ui/feedback/notice.tsx";
import { notify } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { useEdits } from "../../ui/form/use-edits.ts";
import { useSubmit } from "../../ui/form/use-submit.ts";
import type { Viewer } from "../../ui/page/guards.ts";

type Profile = Pick<Viewer, "name" | "email">;

/** Changes the name and the email of the reader. */
export function ProfileForm(before: Profile) {
  const { values: profile, changes, edit, settle } = useEdits(before);
  const isUnchanged = Object.keys(changes).length === 0;
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    if (isUnchanged) return notify("No changes to save");
    const saved = await send<Viewer>("PATCH", "/api/service/account", changes);
    // The service trims both, and lowercases the email.
    settle({ name: saved.name, email: saved.email });
    notify("Profile saved");
  });
  return (
    <form onSubmit={submit} method="post" noValidate className="flex max-w-2xl flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          value={profile.name}
          onChange={(event) => edit({ name: event.target.value })}
          error={issueAt("/name")}
        />
        <TextField
          label="Email"
          name="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={profile.email}
          onChange={(event) => edit({ email: event.target.value })}
          error={issueAt("/email")}
        />
      </div>
      <FailureNotice failure={failure} fields={["/name", "/email"]} />
      <div>
        <Button type="submit" tone={isUnchanged ? "secondary" : "primary"} isPending={isPending}>
          Save profile
        </Button>
      </div>
    </form>
  );
}
