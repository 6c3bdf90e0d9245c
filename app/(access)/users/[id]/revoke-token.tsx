"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../../../ui/form/button.tsx";
import { RevokeTokenDialog } from "../../tokens/revoke-token-dialog.tsx";

type RevokeTokenProps = {
  token: { id: string; name: string; tokenPrefix: string };
  /** Gets the focus when the row of the token is gone. */
  headingId: string;
};

/** A button that revokes a token of another user. */
export function RevokeToken({ token, headingId }: RevokeTokenProps) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const onRevoked = () => {
    document.getElementById(headingId)?.focus();
    router.refresh();
  };
  return (
    <>
      <Button size="small" aria-label={`Revoke “${token.name}”`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <RevokeTokenDialog token={token} isOpen={isAsking} onOpenChange={setAsking} onRevoked={onRevoked}>
        Programs that use <code className="font-mono text-sm">{token.tokenPrefix}…</code> can no longer render. This
        cannot be undone.
      </RevokeTokenDialog>
    </>
  );
}
