import { InvalidValue, type Kind } from "./kinds.ts";

/** A key that signs links. The bytes of the secret are those of its text. */
export type LinkKey = { id: string; secret: string };

/** The id of a key, which is part of the address of a link. */
const KEY_ID = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Printable ASCII without a comma, which separates the keys. Every byte is a character. */
const SECRET = /^[!-+\--~]+$/;

const LEAST_SECRET_BYTES = 32;

const WANT =
  "want keys such as web:0f1e…, separated by commas: an id of lower-case letters, digits and hyphens, a colon, and a secret of 32 or more characters, such as the output of `openssl rand -hex 32`";

/** What is wrong with an entry. It never quotes one, because even an id may be a secret that was put into the wrong place. */
function faultOf({ id, secret }: LinkKey, hasColon: boolean): string | undefined {
  if (!hasColon) return "no colon";
  if (!KEY_ID.test(id)) return "an id of another form";
  if (secret.length < LEAST_SECRET_BYTES) return `a secret of ${[...secret].length} characters`;
  return SECRET.test(secret) ? undefined : "a secret with other characters than printable ASCII";
}

/** Keys that sign links: `id:secret`, separated by commas. */
export const linkKeys: Kind<LinkKey[]> = (value) => {
  const entries = value.split(",").map((entry) => entry.trim());
  const keys = entries.map((entry) => {
    const [id = "", ...rest] = entry.split(":");
    return { id, secret: rest.join(":") };
  });
  const faults = keys.flatMap((key, at) => {
    const fault = faultOf(key, (entries[at] ?? "").includes(":"));
    return fault === undefined ? [] : [`${fault} in key ${at + 1} of ${keys.length}`];
  });
  if (faults.length > 0) throw new InvalidValue(`got ${faults.join(" and ")}, ${WANT}`);
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw new InvalidValue("got the same id more than once, want each key to have its own");
  return keys;
};
