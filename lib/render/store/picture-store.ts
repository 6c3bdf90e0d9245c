import pLimit from "p-limit";
import type { StoreConfig } from "#lib/environment/object-store.ts";
import type { Issue } from "#lib/errors.ts";
import { formatOf } from "#lib/images/format.ts";
import { stillPng } from "#lib/images/png-chunks.ts";
import { storeConfig } from "#lib/link-config.ts";
import { log } from "#lib/log.ts";
import { counter } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";
import { RenderWarnings } from "#lib/schemas/warnings.ts";
import type { FinishedPicture } from "../picture-cache.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { S3Objects, type StoredObject } from "./s3-objects.ts";
import {
  CONCURRENT_READS,
  CONCURRENT_WRITES,
  STORE_FAILURES,
  STORE_PAUSE_MS,
  STORE_READ_MS,
  STORE_WRITE_MS,
  STORED_PICTURE_BYTES,
  STORED_WARNINGS_CHARS,
  WAITING_WRITE_BYTES,
} from "./store-limits.ts";

const requests = counter({
  name: "platen_store_requests_total",
  help: "Pictures that were looked for in the shared store (hit, miss) or written to it (stored), failed, or skipped to spare it.",
  labels: ["operation", "outcome"],
});

type Size = { width: number; height: number };

/** Where the first chunk of a PNG says its width, and its height behind it. */
const PNG_WIDTH_OFFSET = 16;

/** The PNG in a file of the wanted size, with nothing but what its pixels need; undefined where it is damaged or none. */
function wholePng(bytes: Buffer, { width, height }: Size): Buffer | undefined {
  if (formatOf(bytes)?.name !== "PNG") return undefined;
  const read = stillPng(bytes);
  if ("fault" in read || read.bytes.length < PNG_WIDTH_OFFSET + 8) return undefined;
  const isSize =
    read.bytes.readUInt32BE(PNG_WIDTH_OFFSET) === width && read.bytes.readUInt32BE(PNG_WIDTH_OFFSET + 4) === height;
  return isSize ? read.bytes : undefined;
}

/** Codes of warnings are labels of metrics, so only those that the service knows are taken. */
const StoredWarnings = RenderWarnings.shape.warnings;

/** The picture in an object; undefined where it is no whole PNG of the wanted size. @throws Error where its warnings are none */
function pictureOf({ bytes, metadata }: StoredObject, size: Size): FinishedPicture | undefined {
  const png = wholePng(bytes, size);
  if (!png) return undefined;
  const { warnings: encoded = "" } = metadata;
  if (encoded.length > STORED_WARNINGS_CHARS) throw new Error(`Got ${encoded.length} characters of warnings.`);
  const text = Buffer.from(encoded, "base64url").toString();
  return { png, warnings: text === "" ? [] : StoredWarnings.parse(JSON.parse(text)) };
}

/** The warnings as metadata; undefined where they are too long. */
function warningsText(warnings: Issue[]): string | undefined {
  const text = warnings.length === 0 ? "" : Buffer.from(JSON.stringify(warnings)).toString("base64url");
  return text.length <= STORED_WARNINGS_CHARS ? text : undefined;
}

type Operation = "read" | "write";

type StoreTimes = {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** How long a picture is looked for, in milliseconds. */
  readMs?: number;
};

/** An error as text. Node says only "fetch failed" of a connection, and its cause tells why. */
function withCause(error: unknown): string {
  const { cause } = error as Error;
  if (!(cause instanceof Error)) return String(error);
  return `${error} (${cause.message || (cause as NodeJS.ErrnoException).code})`;
}

/**
 * Pictures that replicas share, by the key of their content. It is a help and never a condition: whatever goes wrong here, the
 * picture is drawn. Reads have a short deadline, writes happen in the background, and a store that fails is left alone for a while.
 */
export class PictureStore {
  readonly #objects: S3Objects;
  /** One for each operation: a store that hangs when it is asked may still take what is written, and must not be asked each time. */
  readonly #breakers: Record<Operation, CircuitBreaker>;
  readonly #readMs: number;
  readonly #limitWrites = pLimit(CONCURRENT_WRITES);
  #reading = 0;
  #waitingBytes = 0;
  readonly #writes = new Set<Promise<void>>();

  constructor(config: StoreConfig, { now = () => performance.now(), readMs = STORE_READ_MS }: StoreTimes = {}) {
    this.#objects = new S3Objects(config);
    this.#readMs = readMs;
    const breakerOf = (operation: Operation) =>
      new CircuitBreaker({
        failures: STORE_FAILURES,
        pauseMs: STORE_PAUSE_MS,
        now,
        onOpen: (error) =>
          log().warn(
            { operation, reason: withCause(error) },
            "The store of pictures fails and is left alone for a while.",
          ),
        onClose: () => log().info({ operation }, "The store of pictures answers again."),
      });
    this.#breakers = { read: breakerOf("read"), write: breakerOf("write") };
  }

  /** The picture with a key; undefined where there is none, or the store does not give it in time. It never throws. */
  async read(key: string, size: Size): Promise<FinishedPicture | undefined> {
    if (this.#reading >= CONCURRENT_READS) return this.#note("read", "skipped");
    this.#reading++;
    try {
      const limits = { limitBytes: STORED_PICTURE_BYTES, signal: AbortSignal.timeout(this.#readMs) };
      const found = await this.#breakers.read.run(() => this.#objects.get(key, limits));
      if (found === "refused") return this.#note("read", "skipped");
      const picture = found && pictureOf(found, size);
      this.#note("read", picture ? "hit" : "miss");
      return picture;
    } catch {
      return this.#note("read", "failed");
    } finally {
      this.#reading--;
    }
  }

  /** Stores a picture in the background. @returns resolves when that has ended, and never throws */
  async write(key: string, picture: FinishedPicture): Promise<void> {
    const writing = this.#write(key, picture);
    this.#writes.add(writing);
    await writing;
    this.#writes.delete(writing);
  }

  /** Resolves when the writes that have begun have ended. It never throws. */
  async written(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #write(key: string, { png, warnings }: FinishedPicture): Promise<void> {
    const text = warningsText(warnings);
    const isTooMuch = png.length > STORED_PICTURE_BYTES || this.#waitingBytes + png.length > WAITING_WRITE_BYTES;
    if (text === undefined || isTooMuch) return this.#note("write", "skipped");
    this.#waitingBytes += png.length;
    const object = { bytes: png, metadata: { ...(text !== "" && { warnings: text }) } };
    try {
      const put = () => this.#objects.put(key, object, AbortSignal.timeout(STORE_WRITE_MS));
      const result = await this.#limitWrites(() => this.#breakers.write.run(put));
      this.#note("write", result === "refused" ? "skipped" : "stored");
    } catch {
      this.#note("write", "failed");
    } finally {
      this.#waitingBytes -= png.length;
    }
  }

  #note(operation: Operation, outcome: string): undefined {
    requests.inc({ operation, outcome });
  }
}

const shared = processState("picture-store", () => ({
  current: undefined as { text: string; store: PictureStore } | undefined,
}));

/** The store of `SERVICE_CACHE_S3_URL`; undefined where there is none. @throws ConfigError */
export function pictureStore(): PictureStore | undefined {
  const config = storeConfig();
  if (!config) return undefined;
  const text = JSON.stringify(config);
  const state = shared.get();
  if (state.current?.text !== text) state.current = { text, store: new PictureStore(config) };
  return state.current.store;
}
