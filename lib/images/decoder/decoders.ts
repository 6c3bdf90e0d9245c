import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import { CUT_SHORT, type ImageFault, TAKES_TOO_LONG } from "../image-fault.ts";
import { DECODER_IDLE_MS } from "../image-limits.ts";
import { type Arguments, Decoder, DecoderLost, DecodingTooLong, type Result, type WorkName } from "./decoder.ts";

/** How many processes may end while they have the same work. */
const ATTEMPTS = 3;

/** How many may crash. The image is then the likely reason. */
const CRASHES_OF_IMAGE = 2;

const CRASHES = "Got an image that crashes the decoder, want one that another program has saved again.";

/** The processes that decode images. The first image starts one, and as many run as images are decoded at once. */
class Decoders {
  /** The one used last is at the end. */
  readonly #idle: Decoder[] = [];
  #trimming: NodeJS.Timeout | undefined;

  /** @throws AppError as {@link inDecoder} */
  async run<Name extends WorkName>(
    name: Name,
    args: Arguments<Name>,
    limitMs: number,
  ): Promise<Result<Name> | ImageFault> {
    let crashes = 0;
    for (let attempt = 1; ; attempt++) {
      const decoder = this.#take();
      try {
        return await decoder.run(name, args, limitMs);
      } catch (error) {
        if (error instanceof DecodingTooLong) return { fault: TAKES_TOO_LONG };
        if (!(error instanceof DecoderLost)) return { fault: CUT_SHORT };
        log().warn(
          { err: error, attempt },
          "A process that decodes images was lost. If it was killed, memory may have run out.",
        );
        if (error.isCrash && ++crashes === CRASHES_OF_IMAGE) return { fault: CRASHES };
        if (attempt === ATTEMPTS)
          throw new AppError("unavailable", "No image can be decoded now. Send it again.", {
            headers: { "Retry-After": "1" },
            cause: error,
          });
      } finally {
        this.#giveBack(decoder);
      }
    }
  }

  #take(): Decoder {
    for (;;) {
      const decoder = this.#idle.pop() ?? new Decoder();
      if (decoder.isAlive) return decoder;
    }
  }

  #giveBack(decoder: Decoder): void {
    if (!decoder.isAlive) return;
    this.#idle.push(decoder);
    this.#trimming?.refresh();
    this.#trimming ??= setTimeout(() => this.#trim(), DECODER_IDLE_MS).unref();
  }

  /** Ends all idle processes but one, so that the next image need not wait for a start. */
  #trim(): void {
    this.#trimming = undefined;
    for (const decoder of this.#idle.splice(0, this.#idle.length - 1)) decoder.end();
  }

  /** Starts a process before there is an image. */
  prepare(): void {
    if (this.#idle.length === 0) this.#giveBack(new Decoder());
  }

  stop(): void {
    clearTimeout(this.#trimming);
    this.#trimming = undefined;
    for (const decoder of this.#idle.splice(0)) decoder.end();
  }
}

const decoders = processState("decoders", () => new Decoders());

/**
 * Runs work on an image in a process of its own, which ends with this one. Work whose process ended is repeated.
 * @param limitMs the processor time that the work may take
 * @returns a fault for an image that is damaged, takes too long, or crashes its process again
 * @throws AppError `unavailable` when no process starts, or all are ended from outside
 */
export function inDecoder<Name extends WorkName>(
  name: Name,
  args: Arguments<Name>,
  limitMs: number,
): Promise<Result<Name> | ImageFault> {
  return decoders.get().run(name, args, limitMs);
}

/** Starts the process before the first image, which then need not wait for that. */
export function prepareDecoder(): void {
  decoders.get().prepare();
}

/** Ends the idle processes. */
export function stopDecoders(): void {
  decoders.peek()?.stop();
}
