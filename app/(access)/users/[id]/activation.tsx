"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { send } from "../../../ui/api.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { notify } from "../../../ui/notify.ts";
import { routeOf, type Subject, useActOnUser } from "./act-on-user.ts";
import { Guarded } from "./guarded.tsx";

type ActivationProps = { subject: Subject; isActive: boolean; liveTokenCount: number };

function tokensOf(count: number): string {
  return count === 1 ? "One token" : `${count} tokens`;
}

function Consequences({ subject, isActive, liveTokenCount }: ActivationProps): ReactNode {
  if (!isActive)
    return liveTokenCount > 0
      ? `${tokensOf(liveTokenCount)} will work again at once. Their sessions stay ended: they sign in anew.`
      : "Their sessions stay ended: they sign in anew.";
  return (
    <>
      {subject.isViewer
        ? "You are signed out everywhere, here too."
        : "They are signed out everywhere and cannot sign in."}
      {liveTokenCount > 0 && ` ${tokensOf(liveTokenCount)} will stop working at once.`} Nothing is deleted: reactivation
      revives tokens, not sessions.
    </>
  );
}

/** Shuts a user out for a while, or lets them in again. */
export function Activation(props: ActivationProps) {
  const { subject, isActive } = props;
  const router = useRouter();
  const act = useActOnUser();
  const [isAsking, setAsking] = useState(false);
  const change = () =>
    act(async () => {
      await send("PATCH", routeOf(subject), { status: isActive ? "deactivated" : "active" });
      if (subject.isViewer) return window.location.assign("/login");
      notify(isActive ? `Deactivated ${subject.name}` : `Reactivated ${subject.name}`);
      router.refresh();
    });
  return (
    <>
      <Guarded subject={subject}>
        {(guard) => (
          <Button {...guard} onClick={() => setAsking(true)}>
            {isActive ? "Deactivate" : "Reactivate"}
          </Button>
        )}
      </Guarded>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={isActive ? `Deactivate ${subject.name}?` : `Reactivate ${subject.name}?`}
        action={isActive ? "Deactivate" : "Reactivate"}
        tone={isActive ? "danger" : "primary"}
        onConfirm={change}
      >
        <Consequences {...props} />
      </ConfirmDialog>
    </>
  );
}
