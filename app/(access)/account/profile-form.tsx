"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { FailureNotice } from "../../ui/failure-notice.tsx";
import { notify } from "../../ui/notify.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import type { Viewer } from "../../ui/viewer.ts";

type Profile = Pick<Viewer, "name" | "email">;

/** The name and the email of whoever is signed in. */
export function ProfileForm({ name, email }: Profile) {
  const router = useRouter();
  const [profile, setProfile] = useState<Profile>({ name, email });
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    const saved = await send<Viewer>("PATCH", "/api/service/account", profile);
    // As the service keeps it: trimmed, and the email in lower case.
    setProfile({ name: saved.name, email: saved.email });
    notify("Saved the profile");
    router.refresh();
  });
  const isUnchanged = profile.name === name && profile.email === email;
  return (
    <form onSubmit={submit} method="post" noValidate className="flex max-w-2xl flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          value={profile.name}
          onChange={(event) => setProfile({ ...profile, name: event.target.value })}
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
          onChange={(event) => setProfile({ ...profile, email: event.target.value })}
          error={issueAt("/email")}
        />
      </div>
      <FailureNotice failure={failure} fields={["/name", "/email"]} />
      <div>
        <Button type="submit" tone={isUnchanged ? "secondary" : "primary"} isPending={isPending}>
          Save the profile
        </Button>
      </div>
    </form>
  );
}
