"use client";

import { useRef, useState } from "react";
import type { z } from "zod";
import type { Session } from "#lib/schemas/session.ts";
import { send } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { notify } from "../../ui/notify.ts";
import { SettingsSection } from "../../ui/settings-section.tsx";
import { useRefresh } from "../../ui/use-refresh.ts";
import { SessionItem } from "./session-item.tsx";

export type OwnSession = z.output<typeof Session>;

/** How many stand in the page before the others fold away. */
const SHOWN = 8;

const PATH = "/api/service/account/sessions";

function EndOthers({ count, onEnded }: { count: number; onEnded: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const what = count === 1 ? "the other session" : `all ${count} other sessions`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>End {what}</Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`End ${what}?`}
        action={`End ${what}`}
        tone="danger"
        onConfirmed={onEnded}
        onConfirm={async () => {
          await send("DELETE", PATH);
          notify(count === 1 ? "Ended the other session" : `Ended ${count} other sessions`);
        }}
      >
        <p>Whoever uses them has to sign in again. This browser stays signed in, and tokens go on working.</p>
      </ConfirmDialog>
    </>
  );
}

/** Where its user is signed in, and the end of that. */
export function SessionList({ sessions }: { sessions: OwnSession[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = useRefresh(heading);
  const [isWhole, setWhole] = useState(false);
  const others = sessions.filter(({ current }) => !current).length;
  const shown = isWhole ? sessions : sessions.slice(0, SHOWN);
  const hidden = sessions.length - shown.length;
  return (
    <SettingsSection
      title="Sessions"
      lead="Every browser that is signed in as you. End what you do not know, and change the password."
      heading={heading}
    >
      <div className="flex max-w-2xl flex-col items-start gap-4">
        <ul className="w-full divide-y divide-line rounded-lg border border-line bg-surface">
          {shown.map((session) => (
            <SessionItem key={session.id} session={session} onEnded={refresh} />
          ))}
        </ul>
        <div className="flex flex-wrap gap-3">
          {hidden > 0 && <Button onClick={() => setWhole(true)}>Show {hidden} more</Button>}
          {others > 0 && <EndOthers count={others} onEnded={refresh} />}
        </div>
      </div>
    </SettingsSection>
  );
}
