import { send } from "./api.ts";
import { toFailure } from "./api-failure.ts";
import { notifyFailure } from "./notify.ts";

/** Ends the session of this browser and leads to the sign-in page. Says what went wrong where something did. */
export async function signOut(): Promise<void> {
  try {
    await send("POST", "/api/service/logout", {});
    // A new document, so that nothing of the account stays in this one.
    window.location.assign("/login");
  } catch (error) {
    notifyFailure(toFailure(error));
  }
}
