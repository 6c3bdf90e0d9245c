import type { ReactNode } from "react";
import { Badge } from "../../ui/content/badge.tsx";
import { TimeAgo } from "../../ui/content/time-ago.tsx";

type SignInFactsProps = {
  /** Such as "Firefox on Linux". */
  device: string;
  userAgent: string | null;
  address: string | null;
  signedInAt: string;
  /** Whether it is the browser of the reader. */
  current: boolean;
  /** More facts on the second line. */
  children?: ReactNode;
};

/** Two lines about a sign-in: the browser, and from where and when it signed in. */
export function SignInFacts({ device, userAgent, address, signedInAt, current, children }: SignInFactsProps) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium" title={userAgent ?? undefined}>
        {device} {current && <Badge tone="good">This browser</Badge>}
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-4 text-soft text-sm">
        <span className="font-mono text-[0.8125rem]/[1.3125rem] [overflow-wrap:anywhere]">
          {address ?? "unknown address"}
        </span>
        <span>
          Signed in <TimeAgo moment={signedInAt} />
        </span>
        {children}
      </p>
    </>
  );
}
