"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useId, useState } from "react";
import { send } from "../../../ui/api/api.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { notify } from "../../../ui/feedback/toasts.tsx";
import { Button } from "../../../ui/form/button.tsx";
import { LAST_ADMINISTRATOR, routeOf, type Subject, useActOnUser } from "./user-actions.ts";

type LockProps = { disabled: boolean; "aria-describedby": string | undefined };

/** Disables a button for the last administrator, and says why below it. */
function LastAdministratorLock({
  subject,
  children,
}: {
  subject: Pick<Subject, "isLastAdministrator">;
  children: (lock: LockProps) => ReactNode;
}) {
  const id = useId();
  const isLocked = subject.isLastAdministrator;
  return (
    <>
      {children({ disabled: isLocked, "aria-describedby": isLocked ? id : undefined })}
      {isLocked && (
        <p id={id} className="mt-2.5 max-w-prose text-soft text-sm">
          {LAST_ADMINISTRATOR}
        </p>
      )}
    </>
  );
}

type ActivationProps = { subject: Subject; isActive: boolean; liveTokenCount: number };

function tokensOf(count: number): string {
  return count === 1 ? "1 token" : `${count} tokens`;
}

function Consequences({ subject, isActive, liveTokenCount }: ActivationProps): ReactNode {
  if (!isActive)
    return liveTokenCount > 0
      ? `${tokensOf(liveTokenCount)} will work again at once. The user has to sign in again.`
      : "The user has to sign in again.";
  return (
    <>
      {subject.isViewer
        ? "You will be signed out everywhere, here too."
        : "The user will be signed out everywhere and cannot sign in."}
      {liveTokenCount > 0 && ` ${tokensOf(liveTokenCount)} will stop working at once.`} You can reactivate the account
      later.
    </>
  );
}

/** Deactivates or reactivates a user. */
export function Activation(props: ActivationProps) {
  const { subject, isActive } = props;
  const router = useRouter();
  const act = useActOnUser();
  const [isAsking, setAsking] = useState(false);
  const change = () =>
    act(async () => {
      await send("PATCH", routeOf(subject), { status: isActive ? "deactivated" : "active" });
      if (subject.isViewer) return window.location.assign("/login");
      notify(isActive ? `${subject.name} deactivated` : `${subject.name} reactivated`);
    });
  return (
    <>
      <LastAdministratorLock subject={subject}>
        {(lock) => (
          <Button {...lock} onClick={() => setAsking(true)}>
            {isActive ? "Deactivate" : "Reactivate"}
          </Button>
        )}
      </LastAdministratorLock>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={isActive ? `Deactivate ${subject.name}?` : `Reactivate ${subject.name}?`}
        action={isActive ? "Deactivate" : "Reactivate"}
        tone={isActive ? "danger" : "primary"}
        onConfirm={change}
        onConfirmed={() => router.refresh()}
      >
        <Consequences {...props} />
      </ConfirmDialog>
    </>
  );
}

/** Deletes a user. */
export function Deletion({ subject }: { subject: Subject }) {
  const router = useRouter();
  const act = useActOnUser();
  const [isAsking, setAsking] = useState(false);
  const remove = () =>
    act(async () => {
      await send("DELETE", routeOf(subject));
      if (subject.isViewer) return window.location.assign("/login");
      notify(`${subject.name} deleted`);
      router.replace("/users");
    });
  return (
    <>
      <LastAdministratorLock subject={subject}>
        {(lock) => (
          <Button {...lock} tone="danger" onClick={() => setAsking(true)}>
            Delete
          </Button>
        )}
      </LastAdministratorLock>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={subject.isViewer ? "Delete your own account?" : `Delete ${subject.name}?`}
        action="Delete permanently"
        tone="danger"
        typed={{ label: `Type ${subject.email} to confirm`, text: subject.email }}
        onConfirm={remove}
      >
        {subject.isViewer ? "You will be signed out at once." : ""} The account, its sessions, its tokens and their
        usage are deleted. Programs that use these tokens can no longer render. The audit trail is kept. This cannot be
        undone.
      </ConfirmDialog>
    </>
  );
}
