"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { RevokeTokenDialog } from "../../../ui/revoke-token-dialog.tsx";
import { TOKENS_HEADING } from "./tokens-heading.ts";

type RevokeTokenProps = { id: string; name: string; prefix: string; userName: string };

/** Ends one token, after a question that names it. */
export function RevokeToken({ id, name, prefix, userName }: RevokeTokenProps) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
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
      <RevokeTokenDialog token={{ id, name }} isOpen={isAsking} onOpenChange={setAsking} onRevoked={leave}>
        Every script of {userName} that sends <code className="font-mono text-sm">{prefix}…</code> is refused from now
        on. This cannot be undone; they can make another token.
      </RevokeTokenDialog>
    </>
  );
}
