import { AwsClient } from "aws4fetch";
import { Agent, fetch } from "undici";
import { VERSION } from "#lib/config.ts";
import type { StoreConfig } from "#lib/environment/object-store.ts";
import { guardedConnector } from "#lib/images/remote/guarded-connector.ts";
import { findAddresses } from "#lib/images/remote/lookups.ts";
import { CONCURRENT_READS, CONCURRENT_WRITES, STORE_READ_MS } from "./store-limits.ts";

/** An object with its metadata, whose names are in lower case. */
export type StoredObject = { bytes: Buffer; metadata: Record<string, string> };

const METADATA_PREFIX = "x-amz-meta-";

type Answer = Awaited<ReturnType<typeof fetch>>;

/** @throws Error where the body is longer than `limitBytes`, or ends early */
async function readBytes(answer: Answer, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > limitBytes) throw new Error(`Got an object of more than ${limitBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** Objects in a bucket of S3 or of a service that speaks its protocol. It follows no redirects. */
export class S3Objects {
  readonly #base: string;
  readonly #client: AwsClient;
  readonly #agent: Agent;

  constructor({ base, region, accessKeyId, secretAccessKey, sessionToken }: StoreConfig) {
    this.#base = base;
    this.#client = new AwsClient({
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
    });
    // The operator names the host, which may be in a private network, but is no metadata service of a cloud.
    const connect = guardedConnector({ isPrivate: true, find: findAddresses, timeoutMs: STORE_READ_MS });
    this.#agent = new Agent({ connect, connections: CONCURRENT_READS + CONCURRENT_WRITES });
  }

  /** The object with a key; undefined where there is none. @throws Error for any other answer, and the signal's reason */
  async get(key: string, options: { limitBytes: number; signal: AbortSignal }): Promise<StoredObject | undefined> {
    const answer = await this.#send("GET", key, { signal: options.signal });
    if (answer.status === 404) return void (await answer.body?.cancel());
    if (!answer.ok) throw await this.#refusal(answer);
    const metadata = [...answer.headers].flatMap(([name, value]) =>
      name.startsWith(METADATA_PREFIX) ? [[name.slice(METADATA_PREFIX.length), value] as const] : [],
    );
    return { bytes: await readBytes(answer, options.limitBytes), metadata: Object.fromEntries(metadata) };
  }

  /** @throws Error for any answer but a success, and the signal's reason */
  async put(key: string, { bytes, metadata }: StoredObject, signal: AbortSignal): Promise<void> {
    const named = Object.entries(metadata).map(([name, value]) => [METADATA_PREFIX + name, value]);
    const headers = { "content-type": "image/png", ...Object.fromEntries(named) };
    const answer = await this.#send("PUT", key, { headers, body: bytes, signal });
    if (!answer.ok) throw await this.#refusal(answer);
    await answer.body?.cancel();
  }

  async #send(
    method: string,
    key: string,
    init: { headers?: Record<string, string>; body?: Buffer; signal: AbortSignal },
  ): Promise<Answer> {
    const url = `${this.#base}${key}.png`;
    const { body, headers, signal } = init;
    const signed = await this.#client.sign(url, { method, headers: { "user-agent": `Platen/${VERSION}`, ...headers } });
    return await fetch(url, {
      method,
      headers: Object.fromEntries(signed.headers),
      ...(body && { body: new Uint8Array(body) }),
      signal,
      redirect: "manual",
      dispatcher: this.#agent,
    });
  }

  async #refusal(answer: Answer): Promise<Error> {
    await answer.body?.cancel();
    return new Error(`The store answered with status ${answer.status}.`);
  }
}
