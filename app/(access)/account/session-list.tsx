"use client";

import { useRef, useState } from "react";
import type { z } from "zod";
import type { Session } from "#lib/schemas/session.ts";
import { send } from "../../ui/api/api.ts";
import { toFailure } from "../../ui/api/api-failure.ts";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { notify, notifyFailure } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { Section } from "../../ui/page/page-layout.tsx";
import { useRefresh } from "../../ui/page/use-refresh.ts";
import { SignInFacts } from "./sign-in-facts.tsx";

type SessionItemProps = { session: OwnSession; onEnded: () => void };

/** A session of the reader. The current one has no button: signing out ends it. */
function SessionItem({ session, onEnded }: SessionItemProps) {
  const { id, device, address, createdAt, lastSeenAt, userAgent, current } = session;
  const [isPending, setPending] = useState(false);
  const end = async () => {
    setPending(true);
    try {
      await send("DELETE", `/api/service/account/sessions/${id}`);
      notify(`Ended the session on ${device}`);
      onEnded();
    } catch (error) {
      notifyFailure(toFailure(error));
      setPending(false);
    }
  };
  return (
    <li className="flex items-center justify-between gap-x-6 px-4 py-3.5 sm:px-5">
      <div className="min-w-0">
        <SignInFacts device={device} userAgent={userAgent} address={address} signedInAt={createdAt} current={current}>
          {!current && (
            <span>
              Last seen <TimeAgo moment={lastSeenAt} />
            </span>
          )}
        </SignInFacts>
      </div>
      {!current && (
        <Button
          size="small"
          isPending={isPending}
          onClick={() => void end()}
          aria-label={`End the session on ${device} at ${address ?? "an unknown address"}`}
        >
          End
        </Button>
      )}
    </li>
  );
}

export type OwnSession = z.output<typeof Session>;

/** How many sessions are shown at first. */
const INITIAL_COUNT = 8;

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
        <p>Those browsers have to sign in again. This browser stays signed in, and your tokens keep working.</p>
      </ConfirmDialog>
    </>
  );
}

/** The sessions of the reader, which can be ended. */
export function SessionList({ sessions }: { sessions: OwnSession[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = useRefresh(heading);
  const [showsAll, setShowsAll] = useState(false);
  const others = sessions.filter(({ current }) => !current).length;
  const shown = showsAll ? sessions : sessions.slice(0, INITIAL_COUNT);
  const hidden = sessions.length - shown.length;
  return (
    <Section
      title="Sessions"
      lead="The browsers that are signed in as you. If you do not recognise one, end its session and change your password."
      heading={heading}
    >
      <div className="flex max-w-2xl flex-col items-start gap-4">
        <ul className="w-full divide-y divide-line rounded-lg border border-line bg-surface">
          {shown.map((session) => (
            <SessionItem key={session.id} session={session} onEnded={refresh} />
          ))}
        </ul>
        <div className="flex flex-wrap gap-3">
          {hidden > 0 && <Button onClick={() => setShowsAll(true)}>Show {hidden} more</Button>}
          {others > 0 && <EndOthers count={others} onEnded={refresh} />}
        </div>
      </div>
    </Section>
  );
}
