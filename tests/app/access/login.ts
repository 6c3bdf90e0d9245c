import { expect } from "vitest";
import { PASSWORD } from "../../access/people.ts";
import { type Sent, send, sessionOf } from "../client.ts";

/** The email and password of the user `ada`. */
export const ADA = { email: "ada@example.com", password: PASSWORD };

/** The request of a login, without its body. */
export type Extra = Omit<Sent, "json">;

/** Signs in as the login page does. */
export const logIn = (json: unknown = ADA, extra: Extra = {}) => send("POST", "login", { json, ...extra });

/** The secret of the session that a login created. */
export async function secretOf(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  return sessionOf(response) ?? expect.fail("no cookie was set");
}

/** The status of `GET /account` with a session. */
export const accountStatus = async (session: string) => (await send("GET", "account", { session })).status;
