"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../../ui/api.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { notify } from "../../../ui/notify.ts";
import { TOKENS_HEADING } from "./tokens-heading.ts";

type RevokeTokenProps = { id: string; name: string; prefix: string; userName: string };

/** Ends one token, after a question that names it. */
export function RevokeToken({ id, name, prefix, userName }: RevokeTokenProps) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const revoke = async () => {
    await send("DELETE", `/api/service/tokens/${id}`);
    notify(`Revoked “${name}”`);
  };
  // The row goes away with the button that has the focus.
  const leave = () => {
    document.getElementById(TOKENS_HEADING)?.focus();
    router.refresh();
  };
  return (
    <>
      <Button size="small" aria-label={`Revoke “${name}”`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={`Revoke “${name}”?`}
        action="Revoke the token"
        tone="danger"
        onConfirm={revoke}
        onConfirmed={leave}
      >
        Every script of {userName} that sends <code className="font-mono text-sm">{prefix}…</code> is refused from now
        on. This cannot be undone; they can make another token.
      </ConfirmDialog>
    </>
  );
}
