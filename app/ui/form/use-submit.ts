import { createContext, type FormEvent, useContext, useRef, useState } from "react";
import { type ApiFailure, toFailure } from "../api/api-failure.ts";

/**
 * Tells the dialog around a form that the form is submitting. The dialog must stay open until the end: it shows the
 * result, which may be an error or a secret that is shown once.
 */
export const SubmitPendingContext = createContext<(isPending: boolean) => void>(() => undefined);

export type Submit = {
  isPending: boolean;
  /** The failure of the last submission, until the next one starts. */
  failure: ApiFailure | undefined;
  /** For `<form onSubmit>`, or to be called without an event. Does nothing during a submission. */
  submit: (event?: FormEvent) => Promise<void>;
  /** The error message for a JSON Pointer of the body. */
  issueAt: (path: string) => string | undefined;
};

/**
 * Runs `act` once per submission, never twice at a time, and keeps the dialog around it open. An error of `act` becomes
 * `failure`.
 */
export function useSubmit(act: () => Promise<void>): Submit {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  // A ref, because a second click can come before the state has been rendered.
  const running = useRef(false);
  const setDialogPending = useContext(SubmitPendingContext);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (running.current) return;
    running.current = true;
    setPending(true);
    setDialogPending(true);
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      running.current = false;
      setPending(false);
      setDialogPending(false);
    }
  };
  return { isPending, failure, submit, issueAt: (path) => failure?.issueAt(path) };
}
