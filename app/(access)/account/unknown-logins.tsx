"use client";

import { useRef, useState } from "react";
import type { z } from "zod";
import type { UnknownLogin } from "#lib/schemas/session.ts";
import { send } from "../../ui/api/api.ts";
import { ApiFailure, toFailure } from "../../ui/api/api-failure.ts";
import { notify, notifyFailure } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { useRefresh } from "../../ui/page/use-refresh.ts";
import { SignInFacts } from "./sign-in-facts.tsx";

type Login = z.output<typeof UnknownLogin>;

const PATH = "/api/service/account/unknown-logins";

/** How many logins are shown at first: the profile below stays in sight. */
const INITIAL_COUNT = 3;

/** What the reader can do about a login, besides confirming it. */
function Advice({ login }: { login: Login }) {
  if (login.current) return <p>Confirming it here still leaves it listed in your other browsers.</p>;
  return (
    <p>
      {login.signedIn
        ? "If it was not you, sign that session out and "
        : "That browser is signed out. If it was not you, "}
      <a href="#password" className="link">
        change your password
      </a>
      .
    </p>
  );
}

type LoginItemProps = { login: Login; onChanged: () => void };

function LoginItem({ login, onChanged }: LoginItemProps) {
  const { id, device, address, at, userAgent, current, signedIn } = login;
  const [pending, setPending] = useState<"confirm" | "end">();
  const act = async (what: "confirm" | "end") => {
    setPending(what);
    try {
      await send("DELETE", what === "confirm" ? `${PATH}/${id}` : `${PATH}/${id}/session`);
      notify(what === "confirm" ? `Confirmed the sign-in on ${device}` : `Signed out ${device}`);
      onChanged();
    } catch (error) {
      notifyFailure(toFailure(error));
    }
    setPending(undefined);
  };
  const which = `${device} at ${address ?? "an unknown address"}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3.5 sm:px-5">
      <div className="min-w-0 basis-80 grow">
        <SignInFacts device={device} userAgent={userAgent} address={address} signedInAt={at} current={current} />
        <div className="mt-1 text-sm">
          <Advice login={login} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          isPending={pending === "confirm"}
          aria-label={`It was me: ${which}`}
          onClick={() => void act("confirm")}
        >
          It was me
        </Button>
        {signedIn && !current && (
          <Button
            size="small"
            tone="danger"
            isPending={pending === "end"}
            aria-label={`Sign that session out: ${which}`}
            onClick={() => void act("end")}
          >
            Sign that session out
          </Button>
        )}
      </div>
    </li>
  );
}

function LoginItems({ logins, onChanged }: { logins: Login[]; onChanged: () => void }) {
  return (
    <ul className="divide-y divide-line">
      {logins.map((login) => (
        <LoginItem key={login.id} login={login} onChanged={onChanged} />
      ))}
    </ul>
  );
}

/** Confirms a login, unless that has happened meanwhile, in another tab for example. @throws ApiFailure */
async function confirmLogin(id: string): Promise<void> {
  try {
    await send("DELETE", `${PATH}/${id}`);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
  }
}

type ConfirmAllProps = { logins: Login[]; onChanged: () => void };

/** Confirms the logins that are listed, one by one: nobody has seen a login that came after the page was rendered. */
function ConfirmAll({ logins, onChanged }: ConfirmAllProps) {
  const [isPending, setPending] = useState(false);
  const confirm = async () => {
    setPending(true);
    try {
      for (const { id } of logins) await confirmLogin(id);
      notify("Confirmed all listed sign-ins");
    } catch (error) {
      notifyFailure(toFailure(error));
    }
    onChanged();
    setPending(false);
  };
  return (
    <Button size="small" isPending={isPending} onClick={() => void confirm()}>
      All of them were me
    </Button>
  );
}

/** The sign-ins from browsers that the account did not know. Empty, it takes no space, and gets the focus of a removed button. */
export function UnknownLogins({ logins }: { logins: Login[] }) {
  const region = useRef<HTMLElement>(null);
  const [hadLogins] = useState(logins.length > 0);
  const refresh = useRefresh(region);
  const [first, rest] = [logins.slice(0, INITIAL_COUNT), logins.slice(INITIAL_COUNT)];
  const count = logins.length === 1 ? "A new browser" : `${logins.length} new browsers`;
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={hadLogins || logins.length > 0 ? "Sign-ins from new browsers" : undefined}
      className={logins.length === 0 ? "" : "mb-8 rounded-lg border border-line border-l-4 border-l-warn bg-surface"}
    >
      {logins.length === 0 && hadLogins && <p className="sr-only">All sign-ins are confirmed.</p>}
      {logins.length > 0 && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-4 py-3.5 sm:px-5">
            <div>
              <h2 className="font-display font-semibold text-xl">Was this you?</h2>
              <p className="mt-1 text-[0.9375rem] text-soft">{count} signed in to your account.</p>
            </div>
            {logins.length > 1 && <ConfirmAll logins={logins} onChanged={refresh} />}
          </div>
          <LoginItems logins={first} onChanged={refresh} />
          {rest.length > 0 && (
            <details className="border-line border-t">
              <summary className="cursor-pointer px-4 py-3.5 text-[0.9375rem] text-soft hover:text-ink sm:px-5">
                {rest.length} more
              </summary>
              <LoginItems logins={rest} onChanged={refresh} />
            </details>
          )}
        </>
      )}
    </section>
  );
}
