"use client";

import { send } from "../api/api.ts";
import { toFailure } from "../api/api-failure.ts";
import { notifyFailure } from "../feedback/toasts.tsx";
import { Button } from "../form/button.tsx";
import { forgetInTab } from "../page/tab-storage.ts";

/** Ends the session of this browser and goes to the sign-in page. Shows a toast when that fails. */
export async function signOut(): Promise<void> {
  // A page that is left may keep what was typed in it. A picture that is being drawn may end the page before the answer is read.
  const forget = () => forgetInTab(() => true);
  window.addEventListener("pagehide", forget);
  try {
    await send("POST", "/api/service/logout", {});
    // A full page load, so that no data of the account stays in memory.
    window.location.assign("/login");
  } catch (error) {
    window.removeEventListener("pagehide", forget);
    notifyFailure(toFailure(error));
  }
}

export function SignOutButton() {
  return <Button onClick={() => void signOut()}>Sign out</Button>;
}
