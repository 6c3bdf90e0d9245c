import { linkPath, signatureOf } from "#lib/links/sign-link.ts";
import type { LinkPayload } from "#lib/schemas/link.ts";

export const KEY = { id: "web", secret: "w".repeat(32) };
export const OTHER_KEY = { id: "mail", secret: "m".repeat(40) };

/** The value of `SERVICE_LINK_KEYS` with both keys. */
export const LINK_KEYS = [KEY, OTHER_KEY].map(({ id, secret }) => `${id}:${secret}`).join(",");

/** The path of a link below `/api/service/`. */
export function linkTo(link: LinkPayload, key = KEY): string {
  return linkPath(link, key).slice("/api/service/".length);
}

/** The path of a link with a payload that is signed as it is. */
export function signedAsIs(payload: string, key = KEY): string {
  return `links/${key.id}/${signatureOf(key, payload)}/${payload}.png`;
}
