"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../../ui/api.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { FailureNotice } from "../../../ui/failure-notice.tsx";
import { notify } from "../../../ui/notify.ts";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useSubmit } from "../../../ui/use-submit.ts";
import { MAY, ROLES, type Role } from "../roles.ts";
import { routeOf, type Subject, useActOnUser } from "./act-on-user.ts";
import { LAST_ADMINISTRATOR } from "./last-administrator-words.ts";

type Profile = { name: string; email: string; role: Role };

/** What differs, since the route wants at least one key. */
function changesOf(before: Profile, after: Profile): Partial<Profile> {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => value !== before[key as keyof Profile]),
  ) as Partial<Profile>;
}

function useProfile(subject: Subject, before: Profile) {
  const router = useRouter();
  const act = useActOnUser();
  const [profile, setProfile] = useState(before);
  const [isAsking, setAsking] = useState(false);
  const isLosingOwnRole = subject.isViewer && before.role === "admin" && profile.role === "user";
  const save = () =>
    act(async () => {
      const changes = changesOf(before, profile);
      if (Object.keys(changes).length === 0) return notify("There was nothing to save");
      const saved = await send<Profile>("PATCH", routeOf(subject), changes);
      // Nothing of what only administrators see may stay in this document.
      if (isLosingOwnRole) return window.location.assign("/");
      setProfile({ name: saved.name, email: saved.email, role: saved.role });
      notify(`Saved ${saved.name}`);
      router.refresh();
    });
  const form = useSubmit(async () => {
    if (isLosingOwnRole) setAsking(true);
    else await save();
  });
  const edit = (part: Partial<Profile>) => setProfile({ ...profile, ...part });
  return { profile, edit, save, isAsking, setAsking, ...form };
}

/** Changes the name, the email and the role of a user. */
export function ProfileForm({ subject, role }: { subject: Subject; role: Role }) {
  const before = { name: subject.name, email: subject.email, role };
  const { profile, edit, save, isAsking, setAsking, submit, isPending, failure, issueAt } = useProfile(subject, before);
  return (
    <>
      <form onSubmit={submit} noValidate className="flex max-w-xl flex-col gap-4">
        <TextField
          label="Name"
          value={profile.name}
          onChange={(event) => edit({ name: event.target.value })}
          error={issueAt("/name")}
          autoComplete="off"
        />
        <TextField
          label="Email"
          type="email"
          value={profile.email}
          onChange={(event) => edit({ email: event.target.value })}
          error={issueAt("/email")}
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          label="Role"
          value={profile.role}
          options={ROLES}
          onChange={(event) => edit({ role: event.target.value as Role })}
          error={issueAt("/role")}
          disabled={subject.isLastAdministrator}
          help={subject.isLastAdministrator ? LAST_ADMINISTRATOR : MAY[profile.role]}
        />
        <FailureNotice failure={failure} fields={["/name", "/email", "/role"]} />
        <Button type="submit" tone="primary" isPending={isPending} className="self-start">
          Save
        </Button>
      </form>
      {/* Beside the form, which would be sent along with it. */}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Stop being an administrator?"
        action="Become a user"
        tone="danger"
        onConfirm={save}
      >
        This page and the audit trail will be closed to you at once. Only another administrator can make you one again.
      </ConfirmDialog>
    </>
  );
}
