"use client";

import { useState } from "react";
import { countRenders } from "../../ui/count-renders.ts";
import { RevokeTokenDialog } from "../../ui/revoke-token-dialog.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import type { UsedToken } from "./token.ts";

type RevokeDialogProps = {
  /** The one that is asked about; `null` for none. */
  token: UsedToken | null;
  onClose: () => void;
  onRevoked: () => void;
};

/** How much would be missed. */
function Consequence({ token }: { token: UsedToken }) {
  if (token.lastUsedAt === null) return <p>It has never been used, so nothing should miss it.</p>;
  return (
    <p>
      Every program that uses it stops rendering at once, and is answered 401. It was last used{" "}
      <strong className="font-semibold text-ink">
        <TimeAgo moment={token.lastUsedAt} />
      </strong>
      {token.usage && (
        <>
          , with <strong className="font-semibold text-ink">{countRenders(token.usage.total)}</strong> in the last 30
          days
        </>
      )}
      .
    </p>
  );
}

/** Asks whether a token shall end, and says what ends with it. */
export function RevokeDialog({ token, onClose, onRevoked }: RevokeDialogProps) {
  // What is asked about stays written while the dialog goes away.
  const [asked, setAsked] = useState(token);
  if (token !== null && token !== asked) setAsked(token);
  if (asked === null) return null;
  return (
    <RevokeTokenDialog
      token={asked}
      isOpen={token !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onRevoked={onRevoked}
    >
      <div className="flex flex-col gap-3">
        <p className="font-mono text-ink text-sm">{asked.tokenPrefix}…</p>
        <Consequence token={asked} />
        <p>This cannot be undone; a new token takes its place.</p>
      </div>
    </RevokeTokenDialog>
  );
}
