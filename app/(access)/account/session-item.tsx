"use client";

import { useState } from "react";
import { send } from "../../ui/api.ts";
import { toFailure } from "../../ui/api-failure.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { notify, notifyFailure } from "../../ui/notify.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";
import type { OwnSession } from "./session-list.tsx";

type SessionItemProps = { session: OwnSession; onEnded: () => void };

/** One browser. The one that shows the page is ended by signing out. */
export function SessionItem({ session, onEnded }: SessionItemProps) {
  const { id, device, address, createdAt, lastSeenAt, userAgent, current } = session;
  const [isPending, setPending] = useState(false);
  const end = async () => {
    setPending(true);
    try {
      await send("DELETE", `/api/service/account/sessions/${id}`);
      notify(`Ended the session of ${device}`);
      onEnded();
    } catch (error) {
      notifyFailure(toFailure(error));
      setPending(false);
    }
  };
  return (
    <li className="flex items-center justify-between gap-x-6 px-4 py-3.5 sm:px-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium" title={userAgent ?? undefined}>
          {device} {current && <Badge tone="good">This browser</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-4 text-soft text-sm">
          <span className="font-mono text-[0.8125rem]/[1.3125rem]">{address ?? "address unknown"}</span>
          <span>
            signed in <TimeAgo moment={createdAt} />
          </span>
          {!current && (
            <span>
              last seen <TimeAgo moment={lastSeenAt} />
            </span>
          )}
        </p>
      </div>
      {!current && (
        <Button
          size="small"
          isPending={isPending}
          onClick={() => void end()}
          aria-label={`End the session of ${device} at ${address ?? "an unknown address"}`}
        >
          End
        </Button>
      )}
    </li>
  );
}
