"use client";

import type { ApiFailure } from "../../ui/api/api-failure.ts";
import { FailureNotice, Notice } from "../../ui/feedback/notice.tsx";
import { clockTime, spokenTime } from "./use-countdown.ts";

type ObstacleProps = {
  /** The value of `SERVICE_PUBLIC_ORIGIN`. */
  publicOrigin: string | undefined;
};

const Variable = ({ children }: { children: string }) => (
  <code className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{children}</code>
);

/** A link to the address where signing in works. */
function OtherAddress({ publicOrigin }: { publicOrigin: string }) {
  return (
    <p>
      Sign in at{" "}
      <a className="link [overflow-wrap:anywhere]" href={`${publicOrigin}/login`}>
        {publicOrigin}
      </a>{" "}
      instead.
    </p>
  );
}

/** The page came over plain http, where browsers drop a `Secure` cookie. */
export function PlainHttp({ publicOrigin }: ObstacleProps) {
  const secureOrigin = publicOrigin?.startsWith("https:") ? publicOrigin : undefined;
  return (
    <Notice tone="warn" title="Sign-in does not work over plain HTTP">
      <div className="mt-1 flex flex-col gap-2">
        <p>
          Your browser would drop the session cookie, which needs HTTPS, and your password would be sent unencrypted.
        </p>
        {secureOrigin !== undefined ? (
          <OtherAddress publicOrigin={secureOrigin} />
        ) : (
          <p>
            Open this page over HTTPS. If you are the operator, put an HTTPS proxy in front of the service and set{" "}
            <Variable>SERVICE_PUBLIC_ORIGIN</Variable> to its address.
          </p>
        )}
      </div>
    </Notice>
  );
}

/** The login succeeded, but the next request came without the session cookie. */
function CookieDropped({ publicOrigin }: ObstacleProps) {
  if (!window.isSecureContext) return <PlainHttp publicOrigin={publicOrigin} />;
  return (
    <Notice tone="error" title="Your browser did not keep the session">
      <p className="mt-1">Your password is correct. Allow cookies for this site, then try again.</p>
    </Notice>
  );
}

/** The service refused the origin of this page. */
function ForeignOrigin({ publicOrigin }: ObstacleProps) {
  const own = window.location.origin;
  return (
    <Notice tone="error" title="The service does not accept sign-ins from this address">
      <div className="mt-1 flex flex-col gap-2">
        {publicOrigin !== undefined && publicOrigin !== own ? (
          <>
            <p>
              This page was opened at <Variable>{own}</Variable>.
            </p>
            <OtherAddress publicOrigin={publicOrigin} />
          </>
        ) : (
          <p>
            This page was opened at <Variable>{own}</Variable>, but a proxy changed the address of the request. If you
            are the operator, set <Variable>{`SERVICE_PUBLIC_ORIGIN=${own}`}</Variable>.
          </p>
        )}
      </div>
    </Notice>
  );
}

type LoginFailureProps = {
  failure: ApiFailure | undefined;
  /** The login succeeded, but the browser has dropped the cookie. */
  isCookieDropped: boolean;
  /** Until the next attempt is allowed. */
  secondsLeft: number;
  publicOrigin: string | undefined;
};

/** The countdown is hidden from screen readers, which would announce every second. */
function TooManyAttempts({ failure, secondsLeft }: { failure: ApiFailure; secondsLeft: number }) {
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

/** Explains why signing in failed. */
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
        <TooManyAttempts failure={failure} secondsLeft={secondsLeft} />
      </div>
    );
  }
  return <FailureNotice failure={failure} fields={["/email", "/password"]} />;
}
