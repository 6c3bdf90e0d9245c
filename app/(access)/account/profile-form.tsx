"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../ui/api/api.ts";
import { FailureNotice } from "../../ui/feedback/notice.tsx";
import { notify } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { useSubmit } from "../../ui/form/use-submit.ts";
import type { Viewer } from "../../ui/page/guards.ts";

type Profile = Pick<Viewer, "name" | "email">;

/** Changes the name and the email of the reader. */
export function ProfileForm({ name, email }: Profile) {
  const router = useRouter();
  const [profile, setProfile] = useState<Profile>({ name, email });
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    const saved = await send<Viewer>("PATCH", "/api/service/account", profile);
    // The service trims both, and lowercases the email.
    setProfile({ name: saved.name, email: saved.email });
    notify("Profile saved");
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
          Save profile
        </Button>
      </div>
    </form>
  );
}
