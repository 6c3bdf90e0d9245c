import { expect } from "vitest";
import { PASSWORD } from "../access/people.ts";
import { type Sent, send, sessionOf } from "./client.ts";

/** The email and password of the user `ada`. */
export const ADA = { email: "ada@example.com", password: PASSWORD };

/** What a login is sent with, beside its body. */
export type Extra = Omit<Sent, "json">;

/** Asks for a login, as the sign-in page does. */
export const logIn = (json: unknown = ADA, extra: Extra = {}) => send("POST", "login", { json, ...extra });

/** The secret of the session that a login has made. */
export async function secretOf(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  return sessionOf(response) ?? expect.fail("no cookie was set");
}

/** The status that a session gets at its own account. */
export const accountStatus = async (session: string) => (await send("GET", "account", { session })).status;
