"use client";

import { useState } from "react";
import { send } from "../../../ui/api.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FailureNotice } from "../../../ui/failure-notice.tsx";
import { notify } from "../../../ui/notify.ts";
import { useSubmit } from "../../../ui/use-submit.ts";
import { PasswordFields, usePasswordChoice } from "../password-choice.tsx";
import { ShownPassword } from "../shown-password.tsx";
import { routeOf, type Subject } from "./act-on-user.ts";

/** `generated` is the password when it was not typed. */
type OnSet = (generated: string | undefined) => void;

function PasswordForm({ subject, onSet }: { subject: Subject; onSet: OnSet }) {
  const choice = usePasswordChoice();
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    const { password, isGenerated } = choice.take();
    await send("POST", routeOf(subject, "/password"), { password });
    onSet(isGenerated ? password : undefined);
  });
  return (
    <form onSubmit={submit} method="post" noValidate className="flex flex-col gap-4">
      <PasswordFields choice={choice} error={issueAt("/password")} />
      <FailureNotice failure={failure} fields={["/password"]} />
      <Button type="submit" tone="primary" isPending={isPending} className="self-end">
        Set the password
      </Button>
    </form>
  );
}

function descriptionOf({ isViewer }: Subject, isSet: boolean): string {
  if (isViewer) return isSet ? "You are signed out everywhere." : "You will be signed out everywhere, here too.";
  return isSet
    ? "They are signed out everywhere, and sign in again with this."
    : "They will be signed out everywhere. Their tokens go on working.";
}

/** The button that opens the form for a new password, and the form. */
export function SetPassword({ subject }: { subject: Subject }) {
  const [isOpen, setOpen] = useState(false);
  const [generated, setGenerated] = useState<string>();
  const isSet = generated !== undefined;
  const close = () => {
    setOpen(false);
    // One's own session has ended with the others.
    if (isSet && subject.isViewer) window.location.assign("/login");
  };
  const onSet: OnSet = (password) => {
    if (password !== undefined) return setGenerated(password);
    if (subject.isViewer) return window.location.assign("/login");
    setOpen(false);
    notify(`Set the password of ${subject.name}`);
  };
  const open = () => {
    setGenerated(undefined);
    setOpen(true);
  };
  return (
    <>
      <Button onClick={open}>Set a new password</Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(willBeOpen) => (willBeOpen ? open() : close())}
        isPressProof
        title={isSet ? `The new password of ${subject.name}` : `Set the password of ${subject.name}`}
        description={descriptionOf(subject, isSet)}
      >
        {isSet ? (
          <ShownPassword
            password={generated}
            help={subject.isViewer ? "You sign in with it now." : "Hand it over where nobody else reads it."}
            done={subject.isViewer ? "Sign in again" : "Done"}
            onDone={close}
          />
        ) : (
          <PasswordForm subject={subject} onSet={onSet} />
        )}
      </Dialog>
    </>
  );
}
