"use client";

import { useState } from "react";
import { send } from "../../../ui/api/api.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { FailureNotice } from "../../../ui/feedback/notice.tsx";
import { notify } from "../../../ui/feedback/toasts.tsx";
import { Button } from "../../../ui/form/button.tsx";
import { useEdits } from "../../../ui/form/use-edits.ts";
import { useSubmit } from "../../../ui/form/use-submit.ts";
import { PERSON_FIELDS, type Person, PersonFields, type Role } from "../person-fields.tsx";
import { LAST_ADMINISTRATOR, routeOf, type Subject, useActOnUser } from "./user-actions.ts";

/** What a form of a user's properties shows and does. */
function useProfile(subject: Subject, before: Person) {
  const act = useActOnUser();
  const { values: profile, changes, edit, settle } = useEdits(before);
  const [isAsking, setAsking] = useState(false);
  const isLosingOwnRole = subject.isViewer && before.role === "admin" && profile.role === "user";
  const save = () =>
    act(async () => {
      if (Object.keys(changes).length === 0) return notify("No changes to save");
      const saved = await send<Person>("PATCH", routeOf(subject), changes);
      // A full page load, so that no administrator data stays in memory.
      if (isLosingOwnRole) return window.location.assign("/");
      settle({ name: saved.name, email: saved.email, role: saved.role });
      notify(`${saved.name} saved`);
    });
  const form = useSubmit(async () => {
    if (isLosingOwnRole) setAsking(true);
    else await save();
  });
  return { profile, edit, save, isAsking, setAsking, ...form };
}

/** Changes the name, email and role of a user. */
export function ProfileForm({ subject, role }: { subject: Subject; role: Role }) {
  const before = { name: subject.name, email: subject.email, role };
  const { profile, edit, save, isAsking, setAsking, submit, isPending, failure, issueAt } = useProfile(subject, before);
  return (
    <>
      <form onSubmit={submit} method="post" noValidate className="flex max-w-xl flex-col gap-4">
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
      {/* Outside of the form: React events of a dialog in it would bubble to it, and submit it too. */}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Stop being an administrator?"
        action="Give up the role"
        tone="danger"
        onConfirm={save}
      >
        You will lose access to users, the audit trail and the status page at once. Only another administrator can give
        you the role back.
      </ConfirmDialog>
    </>
  );
}
