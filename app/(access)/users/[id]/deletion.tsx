"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../../ui/api.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { notify } from "../../../ui/notify.ts";
import { routeOf, type Subject, useActOnUser } from "./act-on-user.ts";
import { Guarded } from "./guarded.tsx";

/** Takes a user away, with all that is theirs. */
export function Deletion({ subject }: { subject: Subject }) {
  const router = useRouter();
  const act = useActOnUser();
  const [isAsking, setAsking] = useState(false);
  const remove = () =>
    act(async () => {
      await send("DELETE", routeOf(subject));
      if (subject.isViewer) return window.location.assign("/login");
      notify(`Deleted ${subject.name}`);
      router.replace("/users");
    });
  return (
    <>
      <Guarded subject={subject}>
        {(guard) => (
          <Button {...guard} tone="danger" onClick={() => setAsking(true)}>
            Delete
          </Button>
        )}
      </Guarded>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={subject.isViewer ? "Delete your own account?" : `Delete ${subject.name}?`}
        action="Delete for good"
        tone="danger"
        typed={{ label: `Type ${subject.email} to confirm`, text: subject.email }}
        onConfirm={remove}
      >
        {subject.isViewer ? "You are signed out at once, and your" : "Their"} sessions, tokens and figures go with the
        account, and everything that renders with those tokens stops working. This cannot be undone. The audit trail
        stays.
      </ConfirmDialog>
    </>
  );
}
