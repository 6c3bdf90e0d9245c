import { expect } from "vitest";
import { errorOf } from "../../http/requests.ts";
import { type Sent, send } from "../client.ts";

/** The error code of a render. An authorised one is refused for its template, before it needs a browser. */
export const renderCode = async (sent: Sent) =>
  (await errorOf(await send("POST", "images/render", { json: { template: "no/such" }, ...sent }))).code;

/** Expects a render to be authorised. */
export const expectAuthorized = async (sent: Sent) => expect(await renderCode(sent)).toBe("unknown_template");

/** Expects a render to be refused for its credentials. */
export const expectUnauthorized = async (sent: Sent) => expect(await renderCode(sent)).toBe("unauthorized");
