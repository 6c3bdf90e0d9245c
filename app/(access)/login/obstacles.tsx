"use client";

import { Notice } from "../../ui/notice.tsx";

type ObstacleProps = {
  /** What the operator has set as SERVICE_PUBLIC_ORIGIN. */
  publicOrigin: string | undefined;
};

const Variable = ({ children }: { children: string }) => (
  <code className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{children}</code>
);

/** The way to where signing in works, for those who know of it. */
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

/** This page came over plain http, where a browser does not keep the session. */
export function PlainHttp({ publicOrigin }: ObstacleProps) {
  const secureOrigin = publicOrigin?.startsWith("https:") ? publicOrigin : undefined;
  return (
    <Notice tone="warn" title="Signing in does not work over plain http">
      <div className="mt-1 flex flex-col gap-2">
        <p>
          The session cookie is only for https, so your browser would drop it. Your password would travel unencrypted.
        </p>
        {secureOrigin !== undefined ? (
          <OtherAddress publicOrigin={secureOrigin} />
        ) : (
          <p>
            Open this page by its https address. If you run the service: put https in front of it, and set{" "}
            <Variable>SERVICE_PUBLIC_ORIGIN</Variable> to that address.
          </p>
        )}
      </div>
    </Notice>
  );
}

/** The password was right, the answer was too, and still the next request came without the session. */
export function CookieDropped({ publicOrigin }: ObstacleProps) {
  if (!window.isSecureContext) return <PlainHttp publicOrigin={publicOrigin} />;
  return (
    <Notice tone="error" title="Your browser did not keep the session">
      <p className="mt-1">
        The password was right, but the cookie is not there. Allow cookies for this site, then try again.
      </p>
    </Notice>
  );
}

/** The service does not take this page for one of its own. */
export function ForeignOrigin({ publicOrigin }: ObstacleProps) {
  const own = window.location.origin;
  return (
    <Notice tone="error" title="The service does not know this address as its own">
      <div className="mt-1 flex flex-col gap-2">
        {publicOrigin !== undefined && publicOrigin !== own ? (
          <>
            <p>
              You opened it at <Variable>{own}</Variable>, and it takes sign-ins from one address alone.
            </p>
            <OtherAddress publicOrigin={publicOrigin} />
          </>
        ) : (
          <p>
            Your browser is at <Variable>{own}</Variable>, and the request arrived with another address: a proxy in
            front has changed it. If you run the service, set <Variable>{`SERVICE_PUBLIC_ORIGIN=${own}`}</Variable>.
          </p>
        )}
      </div>
    </Notice>
  );
}
