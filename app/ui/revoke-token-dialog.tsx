"use client";

import type { ReactNode } from "react";
import { send } from "./api.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { notify } from "./notify.ts";

type RevokeTokenDialogProps = {
  token: { id: string; name: string };
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Called once the dialog is gone, when the focus is back. */
  onRevoked: () => void;
  /** What ends with it. */
  children: ReactNode;
};

/** Asks whether a token shall end, and ends it. */
export function RevokeTokenDialog({ token, isOpen, onOpenChange, onRevoked, children }: RevokeTokenDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Revoke “${token.name}”?`}
      action="Revoke the token"
      tone="danger"
      onConfirmed={onRevoked}
      onConfirm={async () => {
        await send("DELETE", `/api/service/tokens/${token.id}`);
        notify(`Revoked “${token.name}”`);
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
