"use client";

import { Toast } from "@base-ui/react/toast";
import { Cross } from "./icons.tsx";
import { toasts } from "./notify.ts";

function Toasts() {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // A hidden one could still be focused; its announcement is another element's.
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

/** Where toasts appear: at the end of the page for everyone, and by F6 for those who use no mouse. */
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
