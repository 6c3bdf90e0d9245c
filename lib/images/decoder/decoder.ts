import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { PROJECT_DIR, variable } from "#lib/config.ts";
import { DECODER_POLL_MS, DECODER_SILENT_POLLS, DECODER_START_POLLS } from "../image-limits.ts";
import type { Work } from "./image-work.ts";
import type { Answer, Order } from "./program.ts";

const PROGRAM = join(/* turbopackIgnore: true */ PROJECT_DIR, "lib/images/decoder/program.ts");

/** A small young generation: the bytes of images are not part of the heap. */
const NODE_FLAGS = ["--max-semi-space-size=4"];

/** What a process needs of the environment of the server, which holds secrets. */
const VARIABLES = ["LD_LIBRARY_PATH", "SystemRoot"];

/** Without arenas for each thread, and with a fixed limit, glibc returns freed memory to the system. */
const MEMORY_VARIABLES = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

const OUTPUT_TAIL_CHARS = 2_000;

/** The process ended before the work was done. */
export class DecoderLost extends Error {
  override name = "DecoderLost";
  /** Whether it ended by itself while it worked, so that the image may be the reason. */
  readonly isCrash: boolean;

  constructor(message: string, { isCrash }: { isCrash: boolean }) {
    super(message);
    this.isCrash = isCrash;
  }
}

/** The work took more processor time than it may. Its process was ended. */
export class DecodingTooLong extends Error {
  override name = "DecodingTooLong";
}

export type WorkName = keyof Work;
export type Arguments<Name extends WorkName> = Parameters<Work[Name]>;
export type Result<Name extends WorkName> = Awaited<ReturnType<Work[Name]>>;

function environment(): NodeJS.ProcessEnv {
  const known = VARIABLES.flatMap((name) => {
    const value = variable(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...MEMORY_VARIABLES, ...Object.fromEntries(known) };
}

/**
 * A process that decodes images, one at a time. Decoders are written in C, and nothing in this process could end one that takes long,
 * or survive one that crashes.
 */
export class Decoder {
  readonly #child: ChildProcess;
  #isReady = false;
  #hasEnded = false;
  #output = "";
  /** Counts the work. */
  #id = 0;

  constructor() {
    this.#child = fork(PROGRAM, {
      serialization: "advanced",
      execArgv: NODE_FLAGS,
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const end = () => {
      this.#hasEnded = true;
    };
    this.#child.once("exit", end).on("error", end).once("disconnect", end);
    this.#child.on("message", (message: Answer) => {
      if (message === "ready") this.#isReady = true;
    });
    // There is no pipe where this process may open no further file. Then the child reports an error.
    const stderr = this.#child.stderr as (Readable & { unref(): void }) | null;
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#output = (this.#output + text).slice(-OUTPUT_TAIL_CHARS);
    });
    stderr?.unref();
    this.#keepServer(false);
  }

  /** Whether it can be given work. */
  get isAlive(): boolean {
    return !this.#hasEnded;
  }

  /** Whether this process waits for it before it ends. */
  #keepServer(keeps: boolean): void {
    for (const handle of [this.#child, this.#child.channel]) keeps ? handle?.ref() : handle?.unref();
  }

  /**
   * Runs work, and nothing else meanwhile.
   * @param limitMs the processor time that it may take, after which the process is ended
   * @throws DecoderLost; DecodingTooLong; Error with the message of the work's own error
   */
  async run<Name extends WorkName>(name: Name, args: Arguments<Name>, limitMs: number): Promise<Result<Name>> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const [child, id] = [this.#child, ++this.#id];
    let silentPolls = 0;
    const onMessage = (message: Answer) => {
      silentPolls = 0;
      // The processor time of earlier work may arrive late.
      if (message === "ready" || message.id !== id) return;
      if ("result" in message) resolve(message.result);
      else if ("error" in message) reject(new Error(message.error));
      else if (message.busyMs > limitMs) {
        this.end();
        reject(new DecodingTooLong(`It took ${message.busyMs} ms.`));
      }
    };
    const onExit = (code: number | null, signal: string | null) => {
      // SIGKILL comes from outside: from the kernel where memory runs out, or from an operator.
      reject(this.#lost(`ended (${signal ?? `code ${code}`})`, { isCrash: this.#isReady && signal !== "SIGKILL" }));
    };
    const onError = ({ message }: Error) => reject(this.#lost(`failed: ${message}`));
    const send = (order: Order) => child.connected && child.send(order, (error) => error && onError(error));
    const poll = setInterval(() => {
      // Counted in polls rather than in time, because this process may have stood still itself.
      if (++silentPolls > (this.#isReady ? DECODER_SILENT_POLLS : DECODER_START_POLLS))
        reject(this.#lost("did not respond"));
      else send("time");
    }, DECODER_POLL_MS);
    child.on("message", onMessage).once("exit", onExit).once("error", onError);
    this.#keepServer(true);
    try {
      if (!this.isAlive) throw this.#lost("has ended");
      send({ id, name, args });
      return (await promise) as Result<Name>;
    } finally {
      clearInterval(poll);
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      this.#keepServer(false);
    }
  }

  /** A process that fails once gets no further work, also where its end is not reported yet. */
  #lost(how: string, { isCrash = false } = {}): DecoderLost {
    this.end();
    return new DecoderLost(`The process that decodes images ${how}. ${this.#output}`.trim(), { isCrash });
  }

  /** Ends the process at once. */
  end(): void {
    this.#hasEnded = true;
    this.#child.kill("SIGKILL");
  }
}
