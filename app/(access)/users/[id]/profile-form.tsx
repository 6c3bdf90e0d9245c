"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../../ui/api.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { FailureNotice } from "../../../ui/failure-notice.tsx";
import { notify } from "../../../ui/notify.ts";
import { useSubmit } from "../../../ui/use-submit.ts";
import { PERSON_FIELDS, type Person, PersonFields } from "../person-fields.tsx";
import type { Role } from "../roles.ts";
import { routeOf, type Subject, useActOnUser } from "./act-on-user.ts";
import { LAST_ADMINISTRATOR } from "./last-administrator-words.ts";

/** What differs, since the route wants at least one key. */
function changesOf(before: Person, after: Person): Partial<Person> {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => value !== before[key as keyof Person]),
  ) as Partial<Person>;
}

function useProfile(subject: Subject, before: Person) {
  const router = useRouter();
  const act = useActOnUser();
  const [profile, setProfile] = useState(before);
  const [isAsking, setAsking] = useState(false);
  const isLosingOwnRole = subject.isViewer && before.role === "admin" && profile.role === "user";
  const save = () =>
    act(async () => {
      const changes = changesOf(before, profile);
      if (Object.keys(changes).length === 0) return notify("There was nothing to save");
      const saved = await send<Person>("PATCH", routeOf(subject), changes);
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
  const edit = (part: Partial<Person>) => setProfile({ ...profile, ...part });
  return { profile, edit, save, isAsking, setAsking, ...form };
}

/** Changes the name, the email and the role of a user. */
export function ProfileForm({ subject, role }: { subject: Subject; role: Role }) {
  const before = { name: subject.name, email: subject.email, role };
  const { profile, edit, save, isAsking, setAsking, submit, isPending, failure, issueAt } = useProfile(subject, before);
  return (
    <>
      <form onSubmit={submit} noValidate className="flex max-w-xl flex-col gap-4">
        <PersonFields
          person={profile}
          onEdit={edit}
          issueAt={issueAt}
          roleLock={subject.isLastAdministrator ? LAST_ADMINISTRATOR : undefined}
        />
        <FailureNotice failure={failure} fields={PERSON_FIELDS} />
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
