"use client";

import { useEffect, useReducer, useRef } from "react";
import { type RenderCall, renderPng } from "../../ui/api.ts";
import { type ApiFailure, toFailure } from "../../ui/api-failure.ts";
import { isFromCache, readWarnings, type Warnings } from "./answer-notes.ts";

/** How long nothing is typed before a picture is asked for, in milliseconds. */
const TYPING_PAUSE_MS = 200;

/** How often a picture is asked for, where what stands in its way may pass. */
const MAX_TRIES = 6;

/** The longest that is worth waiting by itself, in seconds; who is told more should do something else. */
const MAX_WAIT_SECONDS = 30;

/** A network that is away for longer than a few of these is looked after by whoever uses it. */
const NETWORK_WAIT_SECONDS = 5;

export type Picture = {
  png: Blob;
  /** An object URL of it, good as long as this is the picture shown. */
  url: string;
  ms: number;
  isFromCache: boolean;
  warnings: Warnings;
};

export type Drawing = {
  /** The last that was drawn, also while the next one is under way or after it has failed. */
  picture?: Picture | undefined;
  /** Of the last request. */
  failure?: ApiFailure | undefined;
  /** In how many seconds it is asked for again by itself. */
  retrySeconds?: number | undefined;
  /** Whether there is nothing yet that belongs to the request as it is now. */
  isBusy: boolean;
};

type Event =
  | { kind: "asked" }
  | { kind: "drawn"; call: RenderCall; picture: Picture }
  | { kind: "failed"; call: RenderCall; failure: ApiFailure; retrySeconds: number | undefined };

/** What has come, and for which request it is the last word. */
type State = Omit<Drawing, "isBusy"> & { settled?: RenderCall | undefined };

function reduce(state: State, event: Event): State {
  if (event.kind === "asked") return { ...state, settled: undefined };
  if (event.kind === "drawn") return { picture: event.picture, settled: event.call };
  const { failure, retrySeconds, call } = event;
  return { picture: state.picture, failure, retrySeconds, settled: retrySeconds === undefined ? call : undefined };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

/** Decoded before it is shown, so that one picture gives way to the next without a gap. */
async function drawn(call: RenderCall, signal: AbortSignal): Promise<Picture> {
  const { png, ms, headers } = await renderPng(call, { signal });
  const url = URL.createObjectURL(png);
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => undefined);
  return { png, url, ms, isFromCache: isFromCache(headers), warnings: readWarnings(headers) };
}

function waitOf({ code, status, retryAfterSeconds = MAX_WAIT_SECONDS + 1 }: ApiFailure): number | undefined {
  if (code === "network") return NETWORK_WAIT_SECONDS;
  const mayPass = status === 503 || status === 429;
  return mayPass && retryAfterSeconds <= MAX_WAIT_SECONDS ? Math.max(1, retryAfterSeconds) : undefined;
}

type Ask = { call: RenderCall; signal: AbortSignal; tell: (event: Event) => void };

/** Asks until there is a picture or a reason why there is none. Says nothing any more once the signal has aborted. */
async function draw({ call, signal, tell }: Ask): Promise<void> {
  for (let tries = 1; !signal.aborted; tries++) {
    tell({ kind: "asked" });
    try {
      const picture = await drawn(call, signal);
      if (signal.aborted) return URL.revokeObjectURL(picture.url);
      return tell({ kind: "drawn", call, picture });
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailure(error);
      const retrySeconds = tries < MAX_TRIES ? waitOf(failure) : undefined;
      tell({ kind: "failed", call, failure, retrySeconds });
      if (retrySeconds === undefined) return;
      await pause(retrySeconds * 1_000, signal);
    }
  }
}

/**
 * Keeps the picture of a request that changes while somebody types: asked for after a pause, with the request before
 * ended, so that no old picture comes after a new one. A new `round` asks at once.
 */
export function usePicture(call: RenderCall, round: number): Drawing {
  const [{ settled, ...state }, tell] = useReducer(reduce, {});
  const lastRound = useRef(-1);
  useEffect(() => {
    const ending = new AbortController();
    const isNow = lastRound.current !== round;
    lastRound.current = round;
    const timer = setTimeout(() => void draw({ call, signal: ending.signal, tell }), isNow ? 0 : TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [call, round]);
  const url = state.picture?.url;
  useEffect(() => (url === undefined ? undefined : () => URL.revokeObjectURL(url)), [url]);
  return { ...state, isBusy: settled !== call };
}
