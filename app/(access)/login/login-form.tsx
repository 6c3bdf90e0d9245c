"use client";

import { type FormEvent, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { send } from "../../ui/api.ts";
import { ApiFailure } from "../../ui/api-failure.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { LoginFailure } from "./login-failure.tsx";
import { PlainHttp } from "./obstacles.tsx";
import { useCountdown } from "./use-countdown.ts";

type LoginFormProps = {
  /** Where signing in leads. */
  next: string;
  publicOrigin: string | undefined;
  /** Whether the session's cookie is Secure. */
  needsHttps: boolean;
  /** Whether this page came over plain http, as far as the service can tell. The browser knows. */
  looksPlain: boolean;
};

const PASSWORD = "password";

/** Whether the session is there, as the next request sees it. @throws ApiFailure for any other reason to refuse it */
async function isSignedIn(): Promise<boolean> {
  try {
    await send("GET", "/api/service/account", undefined, { staysOn401: true });
    return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return false;
    throw error;
  }
}

/** The one thing that is likely to be wrong, ready to be typed anew. */
function askAgain(form: HTMLFormElement | null): void {
  const field = form?.elements.namedItem(PASSWORD);
  if (field instanceof HTMLInputElement) field.select();
}

function useLogin(form: RefObject<HTMLFormElement | null>, next: string) {
  const [isCookieDropped, setCookieDropped] = useState(false);
  const [secondsLeft, beginWait] = useCountdown();
  const login = async () => {
    // What a password manager fills in before the page is alive is in the fields and in no state.
    const values = new FormData(form.current ?? undefined);
    setCookieDropped(false);
    await send("POST", "/api/service/login", { email: values.get("email"), password: values.get(PASSWORD) });
    if (!(await isSignedIn())) return setCookieDropped(true);
    // A new document, so that nothing of another account stays in this one.
    window.location.assign(next);
    // The button says that it is under way until the other page is there.
    await new Promise(() => {});
  };
  const { submit, ...submission } = useSubmit(async () => {
    await login().catch((error: unknown) => {
      if (error instanceof ApiFailure && error.code === "rate_limited") beginWait(error.retryAfterSeconds ?? 0);
      if (error instanceof ApiFailure && error.code === "unauthorized") askAgain(form.current);
      throw error;
    });
  });
  const submitInTime = (event: FormEvent) => {
    event.preventDefault();
    if (secondsLeft === 0) void submit();
  };
  return { ...submission, submit: submitInTime, isCookieDropped, secondsLeft };
}

/** Back from another page, in the state in which this one was left: still busy with signing in. */
function useReloadWhenBack(): void {
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
}

const subscribeToNothing = () => () => {};

/** Email, password, and everything that can come between them and a session. */
export function LoginForm({ next, publicOrigin, needsHttps, looksPlain }: LoginFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useReloadWhenBack();
  const { isPending, failure, submit, issueAt, isCookieDropped, secondsLeft } = useLogin(form, next);
  const isPlain = useSyncExternalStore(
    subscribeToNothing,
    () => needsHttps && !window.isSecureContext,
    () => looksPlain,
  );
  return (
    <form
      ref={form}
      onSubmit={submit}
      // Before the page is alive a browser sends the form itself, and a password must not get into its address.
      method="post"
      noValidate
      aria-label="Sign in"
      className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-5 shadow-pop sm:p-7"
    >
      {isPlain && !isCookieDropped && <PlainHttp publicOrigin={publicOrigin} />}
      <noscript>
        <p className="text-danger text-sm">Signing in needs JavaScript.</p>
      </noscript>
      <TextField
        label="Email"
        name="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        error={issueAt("/email")}
      />
      <PasswordField
        label="Password"
        name={PASSWORD}
        autoComplete="current-password"
        required
        error={issueAt("/password")}
      />
      <LoginFailure {...{ failure, isCookieDropped, secondsLeft, publicOrigin }} />
      <Button
        type="submit"
        tone="primary"
        isPending={isPending}
        aria-disabled={secondsLeft > 0 || undefined}
        className={secondsLeft > 0 ? "cursor-not-allowed opacity-55" : ""}
      >
        Sign in
      </Button>
    </form>
  );
}
