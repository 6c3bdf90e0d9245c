import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { PROJECT_DIR } from "#lib/config.ts";
import { processState } from "#lib/process-state.ts";
import { type CodeToken, PLAIN_CODE, TOKEN_KINDS } from "./code-languages.ts";
import type { HighlightAnswer, HighlightOrder } from "./highlight-thread.ts";

const THREAD = join(/* turbopackIgnore: true */ PROJECT_DIR, "lib/templates/drawings/highlight-thread.ts");

/** An idle thread ends after this time, which frees its memory. */
const IDLE_MS = 60_000;

/** The thread that colours code, one piece after another. The first piece of code starts it. */
class Highlighter {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #id = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @throws the signal's reason, or Error when the thread fails */
  async highlight(text: string, language: string, signal?: AbortSignal): Promise<CodeToken[][]> {
    const turn = this.#last.catch(() => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = turn.then(() => promise);
    try {
      await turn;
      signal?.throwIfAborted();
      return await this.#order({ id: ++this.#id, text, language, kinds: TOKEN_KINDS }, signal);
    } finally {
      resolve();
    }
  }

  async #order(order: HighlightOrder, signal?: AbortSignal): Promise<CodeToken[][]> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    worker.postMessage(order);
    try {
      const [answer] = (await once(worker, "message", signal ? { signal } : {})) as [HighlightAnswer];
      if ("error" in answer) throw new Error(answer.error);
      return answer.lines as CodeToken[][];
    } catch (error) {
      // A thread cannot be interrupted. If its result is no longer needed, it is replaced.
      await this.stop();
      signal?.throwIfAborted();
      throw error;
    } finally {
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

const highlighter = processState("code-highlighter", () => new Highlighter());

/**
 * Splits code into lines of coloured tokens, in a thread of its own. The same code always has the same tokens.
 * @throws the signal's reason, or Error when the thread fails
 */
export async function highlightCode(text: string, language: string, signal?: AbortSignal): Promise<CodeToken[][]> {
  if (language === PLAIN_CODE) return text.split("\n").map((line) => [{ text: line, kind: "plain" }]);
  return await highlighter.get().highlight(text, language, signal);
}
