import { expect } from "vitest";
import { errorOf } from "../http/requests.ts";
import { type Sent, send } from "./client.ts";

/** A render that is let in is refused for its template, which takes no browser. */
export const knock = async (sent: Sent) =>
  (await errorOf(await send("POST", "images/render", { json: { template: "no/such" }, ...sent }))).code;

/** Expects a render to be let in. */
export const expectIn = async (sent: Sent) => expect(await knock(sent)).toBe("unknown_template");

/** Expects a render to be refused for its credentials. */
export const expectOut = async (sent: Sent) => expect(await knock(sent)).toBe("unauthorized");
