import { isUtf8 } from "node:buffer";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { LinkKey } from "#lib/environment/link-keys.ts";
import { AppError } from "#lib/errors.ts";
import { parseJsonObject } from "#lib/http/body/json.ts";
import { requireShape } from "#lib/http/body/shape.ts";
import { NOTHING_HERE } from "#lib/http/route/path.ts";
import { processState } from "#lib/process-state.ts";
import { LinkPayload } from "#lib/schemas/link.ts";
import { LINK_ROOT, PAYLOAD_CHARS } from "#lib/schemas/link-limits.ts";
import { canonicalJson } from "./canonical-json.ts";
import { signatureOf } from "./sign-link.ts";

/** A link without a query and without percent-encoding. A signature has 32 bytes. */
const LINK = new RegExp(`^${LINK_ROOT}([a-z0-9-]{1,32})/([\\w-]{43})/([\\w-]{1,${PAYLOAD_CHARS}})\\.png$`);

/** Signs in place of an unknown key, so that it takes as long as a known one. */
const NO_KEY: LinkKey = { id: "", secret: randomBytes(32).toString("hex") };

const PAYLOAD = "The payload of the link";

/** Why a link is not answered, for the log. Every reason is the same 404 to the client. */
type Refusal = "malformed" | "wrong signature" | "not canonical" | "expired";

function isSigned(signature: string, { key, payload }: { key: LinkKey; payload: string }): boolean {
  return timingSafeEqual(Buffer.from(signatureOf(key, payload)), Buffer.from(signature));
}

/** The bytes of a payload. Undefined for another encoding of the same bytes or values. */
function canonicalBytes(payload: string): Buffer | undefined {
  const bytes = Buffer.from(payload, "base64url");
  if (bytes.toString("base64url") !== payload || !isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  try {
    return canonicalJson(JSON.parse(text)) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** A link whose signature is right and whose payload has the right shape. It may have expired. */
type SignedLink = { key: LinkKey; link: LinkPayload };

/** Kept addresses in characters. What they were read to takes about as much memory again. */
const KEPT_CHARS = 4_000_000;

/** Signed links by address: a page that many people open asks for the same one each time. Others are never kept. */
const known = processState(
  "signed-links",
  () => new LRUCache<string, SignedLink>({ maxSize: KEPT_CHARS, sizeCalculation: (_, target) => target.length }),
);

/** Keys may be withdrawn, and an id may get another secret. */
function isCurrent({ id, secret }: LinkKey, keys: readonly LinkKey[]): boolean {
  return keys.some((key) => key.id === id && key.secret === secret);
}

type ReadOptions = {
  keys: readonly LinkKey[];
  /** Milliseconds since 1970. */
  now: number;
  /** Receives facts for the log. */
  tell: (facts: Record<string, string>) => void;
};

type Checks = { keys: readonly LinkKey[]; tell: ReadOptions["tell"]; refuse: (refusal: Refusal) => never };

/** @throws whatever `refuse` throws; AppError `invalid_request` for a signed payload of another shape */
function readSigned(target: string, { keys, tell, refuse }: Checks): SignedLink {
  const [, id = "", signature = "", payload = ""] = LINK.exec(target) ?? refuse("malformed");
  const key = keys.find((candidate) => candidate.id === id);
  const isRight = isSigned(signature, { key: key ?? NO_KEY, payload });
  if (!key || !isRight) return refuse("wrong signature");
  tell({ linkKey: key.id });
  const bytes = canonicalBytes(payload) ?? refuse("not canonical");
  const value = parseJsonObject(bytes, PAYLOAD);
  return { key, link: requireShape({ schema: LinkPayload, value, name: PAYLOAD }) };
}

/**
 * Reads the payload and the key of a link. Nothing of it is parsed before its signature is right.
 * @param target the path and query of the request, undecoded
 * @throws AppError `not_found` for a link that is not valid now, whatever the reason; `invalid_request` for a signed payload of
 * another shape
 */
export function readLink(target: string, { keys, now, tell }: ReadOptions): { keyId: string; link: LinkPayload } {
  const refuse = (refusal: Refusal): never => {
    tell({ link: refusal });
    throw new AppError("not_found", NOTHING_HERE);
  };
  const kept = known.get().get(target);
  const isKept = kept !== undefined && isCurrent(kept.key, keys);
  const signed = isKept ? kept : readSigned(target, { keys, tell, refuse });
  if (isKept) tell({ linkKey: kept.key.id });
  else known.get().set(target, signed);
  const { key, link } = signed;
  if (link.expires !== undefined && now >= link.expires * 1_000) refuse("expired");
  return { keyId: key.id, link };
}
