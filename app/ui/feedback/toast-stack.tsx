"use client";

import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { Cross } from "../content/icons.tsx";

export type NewToast = { title: string; type: "done" | "failure" };

const manager = Toast.createToastManager();

/** The toasts that were added before anything could show them. */
const waiting: NewToast[] = [];
let isShown = false;

/** Announced politely, or at once for a failure, which stays until it is closed. */
export function addToast({ title, type }: NewToast): void {
  if (!isShown) waiting.push({ title, type });
  else if (type === "done") manager.add({ title, type, priority: "low" });
  else manager.add({ title, type, priority: "high", timeout: 0 });
}

function Toasts() {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // Base UI hides it from screen readers, although it can be focused.
      aria-hidden={false}
      swipeDirection={["down", "right"]}
      className={`popup flex items-start gap-3 border-l-4 py-3 pr-2 pl-4 data-limited:hidden ${toast.type === "failure" ? "border-l-danger" : "border-l-good"}`}
    >
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title className="font-medium text-[0.9375rem] [overflow-wrap:anywhere]" />
      </Toast.Content>
      <Toast.Close
        aria-label="Close"
        aria-hidden={false}
        className="grid size-7 flex-none place-items-center rounded-md text-soft hover:text-ink"
      >
        <Cross />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** The region of the toasts. F6 moves the focus there. */
export default function ToastStack() {
  useEffect(() => {
    // After the effects of the region, which subscribe to the manager.
    isShown = true;
    for (const toast of waiting.splice(0)) addToast(toast);
    return () => {
      isShown = false;
    };
  }, []);
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-3 flex flex-col-reverse gap-2 outline-none sm:left-auto sm:w-96">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
