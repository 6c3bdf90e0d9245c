"use client";

import type { ReactNode } from "react";
import { send } from "../../ui/api/api.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { notify } from "../../ui/feedback/toasts.tsx";

type RevokeTokenDialogProps = {
  token: { id: string; name: string };
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Called after the dialog has closed and the focus has returned. */
  onRevoked: () => void;
  /** What will stop working. */
  children: ReactNode;
};

/** Asks for confirmation, and revokes a token. */
export function RevokeTokenDialog({ token, isOpen, onOpenChange, onRevoked, children }: RevokeTokenDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Revoke “${token.name}”?`}
      action="Revoke token"
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
