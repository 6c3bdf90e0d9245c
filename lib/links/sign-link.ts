import { createHmac } from "node:crypto";
import type { LinkKey } from "#lib/environment/link-keys.ts";
import type { LinkPayload } from "#lib/schemas/link.ts";
import { LINK_ROOT, PAYLOAD_CHARS } from "#lib/schemas/link-limits.ts";
import { canonicalJson } from "./canonical-json.ts";

/** The signature of a payload in base64url: HMAC-SHA-256 over `<key id>/<payload>`, keyed with the secret's text. */
export function signatureOf({ id, secret }: LinkKey, payload: string): string {
  return createHmac("sha256", secret).update(`${id}/${payload}`).digest("base64url");
}

/** The path of a link. @throws RangeError when the payload is longer than {@link PAYLOAD_CHARS} */
export function linkPath(link: LinkPayload, key: LinkKey): string {
  // Parsing leaves out keys whose value is undefined, as JSON does.
  const json = canonicalJson(JSON.parse(JSON.stringify(link)));
  const payload = Buffer.from(json).toString("base64url");
  if (payload.length > PAYLOAD_CHARS)
    throw new RangeError(
      `Got a payload of ${payload.length} characters, want at most ${PAYLOAD_CHARS}: shorten the texts, or name images by address.`,
    );
  return `${LINK_ROOT}${key.id}/${signatureOf(key, payload)}/${payload}.png`;
}
