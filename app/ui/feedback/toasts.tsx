"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { ApiFailure } from "../api/api-failure.ts";

/** Every page can show toasts, and few readers see one: their code is loaded when the reader does something. */
const loadStack = () => import("./toast-stack.tsx");

/** Makes the region appear; undefined before the page is hydrated. */
let appear: (() => void) | undefined;

/** Without the code of the stack, which another deployment may have replaced, a failure is still told, and a success shows on the page. */
async function show(title: string, type: "done" | "failure"): Promise<void> {
  try {
    const { addToast } = await loadStack();
    addToast({ title, type });
    appear?.();
  } catch {
    if (type === "failure") alert(title);
  }
}

/** Shows a toast about something that was done. */
export function notify(text: string): void {
  void show(text, "done");
}

/** Shows a toast about a failure that no form can show. */
export function notifyFailure(failure: Pick<ApiFailure, "message">): void {
  void show(failure.message, "failure");
}

const FIRST_ACTS = ["pointerdown", "keydown", "change", "click"] as const;

/** The region of the toasts, from the first act of the reader on: screen readers announce what changes in a region that is there. */
export function ToastRegion() {
  const [Stack, setStack] = useState<ComponentType>();
  useEffect(() => {
    const acted = new AbortController();
    const load = async () => {
      acted.abort();
      const loaded = await loadStack().catch(() => undefined);
      if (loaded) setStack(() => loaded.default);
    };
    appear = () => void load();
    for (const act of FIRST_ACTS) addEventListener(act, load, { capture: true, signal: acted.signal });
    return () => acted.abort();
  }, []);
  return Stack && <Stack />;
}
