import { on } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { abortable } from "#lib/abortable.ts";
import { PROJECT_DIR } from "#lib/config.ts";
import { FairTurns } from "#lib/images/fair-turns.ts";
import { currentImages } from "#lib/images/render-images.ts";
import { processState } from "#lib/process-state.ts";
import { type CodeToken, PLAIN_CODE, TOKEN_KINDS } from "./code-languages.ts";
import type { HighlightAnswer, HighlightOrder } from "./highlight-thread.ts";
import { SlowCode, watchTime } from "./thread-time.ts";

const THREAD = join(/* turbopackIgnore: true */ PROJECT_DIR, "lib/templates/drawings/highlight-thread.ts");

/** An idle thread ends after this time, which frees its memory. */
const IDLE_MS = 60_000;

/**
 * How long the thread may continue with code whose client has disconnected. A thread cannot be interrupted. A new one would load
 * its grammars again, and the code of other clients would wait for that.
 */
const GRACE_MS = 5_000;

/** What colouring one character is estimated to take, in milliseconds, until the real time is known. */
const MS_PER_CHARACTER = 0.01;

/** Sends code to the thread and waits for its tokens. @throws SlowCode, the reason of `given`, or Error when the thread fails */
async function coloured(worker: Worker, order: HighlightOrder, given: AbortController): Promise<CodeToken[][]> {
  const messages = on(worker, "message", { signal: given.signal, close: ["exit"] });
  let stopWatching: (() => void) | undefined;
  worker.postMessage(order);
  try {
    for await (const [answer] of messages as AsyncIterable<[HighlightAnswer]>) {
      if ("error" in answer) throw new Error(answer.error);
      if ("lines" in answer) return answer.lines as CodeToken[][];
      stopWatching = watchTime(worker, () => given.abort(new SlowCode()));
    }
    throw new Error("The thread that colours code has ended.");
  } catch (error) {
    // An aborted iterator throws an error of its own, with the reason as its cause.
    throw given.signal.aborted ? given.signal.reason : error;
  } finally {
    stopWatching?.();
  }
}

/** A thread that colours code, one piece after another. Callers share its time. The first piece of code starts it. */
class Highlighter {
  #worker: Worker | undefined;
  readonly #turns = new FairTurns({ places: 1 });
  #id = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @throws the signal's reason, SlowCode, or Error when the thread fails */
  async highlight(text: string, language: string, signal?: AbortSignal): Promise<CodeToken[][]> {
    const order = { id: ++this.#id, text, language, kinds: TOKEN_KINDS };
    const images = currentImages();
    const turn = { signal, costMs: text.length * MS_PER_CHARACTER };
    const tokens = images.whileWaiting(() => this.#turns.run(images.caller, () => this.#order(order, signal), turn));
    return signal ? await abortable(tokens, signal) : await tokens;
  }

  async #order(order: HighlightOrder, signal?: AbortSignal): Promise<CodeToken[][]> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    const given = new AbortController();
    let grace: NodeJS.Timeout | undefined;
    const limit = () => {
      grace = setTimeout(() => given.abort(signal?.reason), GRACE_MS);
    };
    signal?.addEventListener("abort", limit, { once: true });
    try {
      return await coloured(worker, order, given);
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      signal?.removeEventListener("abort", limit);
      clearTimeout(grace);
      this.#idle = setTimeout(() => this.stop(), IDLE_MS).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(THREAD);
    worker.unref();
    worker.on("error", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** How long a caller's code is coloured in the second thread after it took too long, in milliseconds, and how many callers are remembered. */
const SUSPECTED_MS = 600_000;
const SUSPECTS_KEPT = 1_000;

/**
 * Code that takes too long ends its thread, and the next code waits until the grammars are loaded again. So callers who have sent such
 * code share a second thread.
 */
class Highlighters {
  readonly #usual = new Highlighter();
  readonly #suspected = new Highlighter();
  readonly #suspects = new LRUCache<string, true>({ max: SUSPECTS_KEPT, ttl: SUSPECTED_MS });

  /** @throws as {@link Highlighter.highlight} */
  async highlight(text: string, language: string, signal?: AbortSignal): Promise<CodeToken[][]> {
    const { caller } = currentImages();
    const thread = this.#suspects.has(caller) ? this.#suspected : this.#usual;
    try {
      return await thread.highlight(text, language, signal);
    } catch (error) {
      if (error instanceof SlowCode) this.#suspects.set(caller, true);
      throw error;
    }
  }
}

const highlighters = processState("code-highlighters", () => new Highlighters());

/**
 * Splits code into lines of coloured tokens, in a thread of its own. The same code always has the same tokens.
 * @throws the signal's reason, SlowCode for code that takes too long, or Error when the thread fails
 */
export async function highlightCode(text: string, language: string, signal?: AbortSignal): Promise<CodeToken[][]> {
  if (language === PLAIN_CODE) return text.split("\n").map((line) => [{ text: line, kind: "plain" }]);
  return await highlighters.get().highlight(text, language, signal);
}
