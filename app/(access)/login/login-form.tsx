"use client";

import { type FormEvent, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { send } from "../../ui/api/api.ts";
import { ApiFailure } from "../../ui/api/api-failure.ts";
import { Button } from "../../ui/form/button.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { useSubmit } from "../../ui/form/use-submit.ts";
import { LoginFailure, PlainHttp } from "./login-failure.tsx";
import { useCountdown } from "./use-countdown.ts";

type LoginFormProps = {
  /** The page to open after signing in. */
  next: string;
  publicOrigin: string | undefined;
  /** Whether the session cookie is `Secure`. */
  needsHttps: boolean;
  /** Whether this page came over plain http, as far as the server can tell. After hydration the browser decides. */
  looksPlain: boolean;
};

const PASSWORD = "password";

/** Whether the browser has kept the session cookie. @throws ApiFailure when the request fails for another reason */
async function isSignedIn(): Promise<boolean> {
  try {
    await send("GET", "/api/service/account", undefined, { staysOn401: true });
    return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return false;
    throw error;
  }
}

/** Selects the password, so that it can be typed again. */
function selectPassword(form: HTMLFormElement | null): void {
  const field = form?.elements.namedItem(PASSWORD);
  if (field instanceof HTMLInputElement) field.select();
}

function useLogin(form: RefObject<HTMLFormElement | null>, next: string) {
  const [isCookieDropped, setCookieDropped] = useState(false);
  const [secondsLeft, beginWait] = useCountdown();
  const login = async () => {
    // From the form: a password manager may fill in the fields without an event.
    const values = new FormData(form.current ?? undefined);
    setCookieDropped(false);
    await send("POST", "/api/service/login", { email: values.get("email"), password: values.get(PASSWORD) });
    if (!(await isSignedIn())) return setCookieDropped(true);
    // A full page load, so that no data of another account stays in memory.
    window.location.assign(next);
    // Never resolves: the button stays pending until the next page has loaded.
    await new Promise(() => {});
  };
  const { submit, ...submission } = useSubmit(async () => {
    await login().catch((error: unknown) => {
      if (error instanceof ApiFailure && error.code === "rate_limited") beginWait(error.retryAfterSeconds ?? 0);
      if (error instanceof ApiFailure && error.code === "unauthorized") selectPassword(form.current);
      throw error;
    });
  });
  const submitAfterWait = (event: FormEvent) => {
    event.preventDefault();
    if (secondsLeft === 0) void submit();
  };
  return { ...submission, submit: submitAfterWait, isCookieDropped, secondsLeft };
}

/** Reloads the page when the browser restores it from its back/forward cache, where it would still be pending. */
function useReloadOnRestore(): void {
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) window.location.reload();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
}

const subscribeToNothing = () => () => {};

/** The sign-in form. It explains everything that can keep a session from starting. */
export function LoginForm({ next, publicOrigin, needsHttps, looksPlain }: LoginFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useReloadOnRestore();
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
      // Without scripts the browser sends the form itself, and the password must not end up in the address.
      method="post"
      noValidate
      aria-label="Sign in"
      className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-5 shadow-pop sm:p-7"
    >
      {isPlain && !isCookieDropped && <PlainHttp publicOrigin={publicOrigin} />}
      <noscript>
        <p className="text-danger text-sm">Sign-in needs JavaScript.</p>
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
