"use client";

import { type FormEvent, useContext, useRef, useState } from "react";
import { type ApiFailure, toFailure } from "./api-failure.ts";
import { DialogHold } from "./dialog-hold.ts";

export type Submit = {
  isPending: boolean;
  /** Of the last try; gone as soon as the next one begins. */
  failure: ApiFailure | undefined;
  /** For `<form onSubmit>`; also to be called without an event. Does nothing while a try is under way. */
  submit: (event?: FormEvent) => Promise<void>;
  /** What is wrong with the field at a JSON Pointer of the body. */
  issueAt: (path: string) => string | undefined;
};

/** Runs `act` for a form, one at a time, and keeps a dialog around it open so long. Whatever it throws becomes `failure`. */
export function useSubmit(act: () => Promise<void>): Submit {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  // State arrives with the next render; two clicks may come before it.
  const running = useRef(false);
  const hold = useContext(DialogHold);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (running.current) return;
    running.current = true;
    setPending(true);
    hold(true);
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      running.current = false;
      setPending(false);
      hold(false);
    }
  };
  return { isPending, failure, submit, issueAt: (path) => failure?.issueAt(path) };
}
