import { Toast } from "@base-ui/react/toast";
import type { ApiFailure } from "./api-failure.ts";

/** Toasts of every client component of the page, shown by `ToastRegion`. */
export const toasts = Toast.createToastManager();

/** Says in passing that something was done. Announced politely. */
export function notify(text: string): void {
  toasts.add({ title: text, type: "done", priority: "low" });
}

/** Says that something failed where no form can. Announced at once, and stays until it is closed. */
export function notifyFailure(failure: Pick<ApiFailure, "message">): void {
  toasts.add({ title: failure.message, type: "failure", priority: "high", timeout: 0 });
}
