"use client";

import type { ApiFailure } from "../../ui/api-failure.ts";
import { FailureNotice } from "../../ui/failure-notice.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CookieDropped, ForeignOrigin } from "./obstacles.tsx";
import { clockTime, spokenTime } from "./use-countdown.ts";

type LoginFailureProps = {
  failure: ApiFailure | undefined;
  /** The service said yes and the session is not there. */
  isCookieDropped: boolean;
  /** Until the service listens again, after too many attempts. */
  secondsLeft: number;
  publicOrigin: string | undefined;
};

/** Announced once and not with every second. */
function TooMany({ failure, secondsLeft }: { failure: ApiFailure; secondsLeft: number }) {
  const wait = failure.retryAfterSeconds ?? 0;
  if (secondsLeft === 0) return <Notice tone="info">You can try again now.</Notice>;
  return (
    <Notice tone="error" title="Too many attempts">
      <span className="sr-only">Try again in {spokenTime(wait)}.</span>
      <p aria-hidden="true">
        Try again in <span className="font-mono tabular-nums">{clockTime(secondsLeft)}</span>.
      </p>
    </Notice>
  );
}

/** Why nobody is signed in yet. */
export function LoginFailure({ failure, isCookieDropped, secondsLeft, publicOrigin }: LoginFailureProps) {
  if (isCookieDropped) {
    return (
      <div role="alert">
        <CookieDropped publicOrigin={publicOrigin} />
      </div>
    );
  }
  if (failure?.code === "origin_mismatch") {
    return (
      <div role="alert">
        <ForeignOrigin publicOrigin={publicOrigin} />
      </div>
    );
  }
  if (failure?.code === "rate_limited" && failure.retryAfterSeconds !== undefined) {
    return (
      <div role="alert">
        <TooMany failure={failure} secondsLeft={secondsLeft} />
      </div>
    );
  }
  return <FailureNotice failure={failure} fields={["/email", "/password"]} />;
}
