"use client";

import { useState } from "react";
import { send } from "../../../ui/api/api.ts";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { FailureNotice } from "../../../ui/feedback/notice.tsx";
import { notify } from "../../../ui/feedback/toasts.tsx";
import { Button } from "../../../ui/form/button.tsx";
import { useSubmit } from "../../../ui/form/use-submit.ts";
import { GeneratedPassword, PasswordFields, usePasswordChoice } from "../password-choice.tsx";
import { routeOf, type Subject } from "./user-actions.ts";

/** `generated` is the password, unless it was entered. */
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
        Set password
      </Button>
    </form>
  );
}

function descriptionOf({ isViewer }: Subject, isSet: boolean): string {
  if (isViewer) return isSet ? "You have been signed out everywhere." : "You will be signed out everywhere, here too.";
  return isSet
    ? "The user has been signed out everywhere, and can sign in with this password."
    : "The user will be signed out everywhere. Their tokens keep working.";
}

/** A button, and the dialog it opens. */
export function SetPassword({ subject }: { subject: Subject }) {
  const [isOpen, setOpen] = useState(false);
  const [generated, setGenerated] = useState<string>();
  const isSet = generated !== undefined;
  const close = () => {
    setOpen(false);
    // The reader's own session has ended too.
    if (isSet && subject.isViewer) window.location.assign("/login");
  };
  const onSet: OnSet = (password) => {
    if (password !== undefined) return setGenerated(password);
    if (subject.isViewer) return window.location.assign("/login");
    setOpen(false);
    notify(`Password of ${subject.name} set`);
  };
  const open = () => {
    setGenerated(undefined);
    setOpen(true);
  };
  return (
    <>
      <Button onClick={open}>Set new password</Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(willBeOpen) => (willBeOpen ? open() : close())}
        ignoresOutsideClicks
        title={isSet ? `New password of ${subject.name}` : `Set password of ${subject.name}`}
        description={descriptionOf(subject, isSet)}
      >
        {isSet ? (
          <GeneratedPassword
            password={generated}
            help={subject.isViewer ? "Use it to sign in." : "Send it over a private channel."}
            doneLabel={subject.isViewer ? "Sign in again" : "Done"}
            onDone={close}
          />
        ) : (
          <PasswordForm subject={subject} onSet={onSet} />
        )}
      </Dialog>
    </>
  );
}
