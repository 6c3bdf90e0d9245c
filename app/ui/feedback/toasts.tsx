"use client";

import { Toast } from "@base-ui/react/toast";
import type { ApiFailure } from "../api/api-failure.ts";
import { Cross } from "../content/icons.tsx";

/** The toasts of all client components, rendered by `ToastRegion`. */
const toasts = Toast.createToastManager();

/** Shows a toast about something that was done. Announced politely. */
export function notify(text: string): void {
  toasts.add({ title: text, type: "done", priority: "low" });
}

/** Shows a toast about a failure that no form can show. Announced at once; it stays until it is closed. */
export function notifyFailure(failure: Pick<ApiFailure, "message">): void {
  toasts.add({ title: failure.message, type: "failure", priority: "high", timeout: 0 });
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
export function ToastRegion() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-3 flex flex-col-reverse gap-2 outline-none sm:left-auto sm:w-96">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
