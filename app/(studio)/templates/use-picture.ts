"use client";

import { useEffect, useReducer, useRef } from "react";
import type { z } from "zod";
import type { RenderWarnings } from "#lib/schemas/warnings.ts";
import { type RenderCall, renderPng } from "../../ui/api/api.ts";
import { type ApiFailure, toFailure } from "../../ui/api/api-failure.ts";

export type Warnings = z.output<typeof RenderWarnings>;

const NONE: Warnings = { warnings: [], more: 0 };

/** The render warnings. The service has validated the header. */
function readWarnings(headers: Headers): Warnings {
  const text = headers.get("x-render-warnings");
  return text === null ? NONE : (JSON.parse(text) as Warnings);
}

/** Whether the picture comes from the cache: then `Server-Timing` has no durations. */
function isFromCache(headers: Headers): boolean {
  const timing = headers.get("server-timing");
  return timing !== null && !timing.includes("dur=");
}

/** How long typing has to pause before a picture is requested. */
const TYPING_PAUSE_MS = 200;

/** The maximum number of attempts when failures are temporary. */
const MAX_ATTEMPTS = 6;

/** The longest `Retry-After` that is followed automatically. */
const MAX_RETRY_SECONDS = 30;

/** The wait after a network failure. */
const NETWORK_RETRY_SECONDS = 5;

export type Picture = {
  png: Blob;
  /** An object URL, valid while this picture is shown. */
  url: string;
  ms: number;
  isFromCache: boolean;
  warnings: Warnings;
};

export type RenderState = {
  /** The last picture, also while the next one is rendering or after it has failed. */
  picture?: Picture | undefined;
  /** The failure of the last request. */
  failure?: ApiFailure | undefined;
  /** The seconds until the automatic retry. */
  retrySeconds?: number | undefined;
  /** Whether the current request has no result yet. */
  isBusy: boolean;
};

type Event =
  | { kind: "sent" }
  | { kind: "rendered"; call: RenderCall; picture: Picture }
  | { kind: "failed"; call: RenderCall; failure: ApiFailure; retrySeconds: number | undefined };

/** `settled` is the request that has its final result. */
type State = Omit<RenderState, "isBusy"> & { settled?: RenderCall | undefined };

function reduce(state: State, event: Event): State {
  if (event.kind === "sent") return { ...state, settled: undefined };
  if (event.kind === "rendered") return { picture: event.picture, settled: event.call };
  const { failure, retrySeconds, call } = event;
  return { picture: state.picture, failure, retrySeconds, settled: retrySeconds === undefined ? call : undefined };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

/** Renders a picture, and decodes it before it is shown, because it would flash otherwise. */
async function renderPicture(call: RenderCall, signal: AbortSignal): Promise<Picture> {
  const { png, ms, headers } = await renderPng(call, { signal });
  const url = URL.createObjectURL(png);
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => undefined);
  return { png, url, ms, isFromCache: isFromCache(headers), warnings: readWarnings(headers) };
}

function retrySecondsOf({ code, status, retryAfterSeconds = MAX_RETRY_SECONDS + 1 }: ApiFailure): number | undefined {
  if (code === "network") return NETWORK_RETRY_SECONDS;
  const isTemporary = status === 503 || status === 429;
  return isTemporary && retryAfterSeconds <= MAX_RETRY_SECONDS ? Math.max(1, retryAfterSeconds) : undefined;
}

type RenderJob = { call: RenderCall; signal: AbortSignal; dispatch: (event: Event) => void };

/** Requests a picture until it arrives or fails for good. Dispatches nothing after the signal has aborted. */
async function render({ call, signal, dispatch }: RenderJob): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    dispatch({ kind: "sent" });
    try {
      const picture = await renderPicture(call, signal);
      if (signal.aborted) return URL.revokeObjectURL(picture.url);
      return dispatch({ kind: "rendered", call, picture });
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailure(error);
      const retrySeconds = attempt < MAX_ATTEMPTS ? retrySecondsOf(failure) : undefined;
      dispatch({ kind: "failed", call, failure, retrySeconds });
      if (retrySeconds === undefined) return;
      await pause(retrySeconds * 1_000, signal);
    }
  }
}

/**
 * Renders the picture of a request that changes while the reader types. A change is sent after a pause, and aborts the
 * request before, so that an old picture never replaces a new one. A new `round` renders at once.
 */
export function usePicture(call: RenderCall, round: number): RenderState {
  const [{ settled, ...state }, dispatch] = useReducer(reduce, {});
  const lastRound = useRef(-1);
  useEffect(() => {
    const aborting = new AbortController();
    const isNow = lastRound.current !== round;
    lastRound.current = round;
    const timer = setTimeout(
      () => void render({ call, signal: aborting.signal, dispatch }),
      isNow ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [call, round]);
  const url = state.picture?.url;
  useEffect(() => (url === undefined ? undefined : () => URL.revokeObjectURL(url)), [url]);
  return { ...state, isBusy: settled !== call };
}
