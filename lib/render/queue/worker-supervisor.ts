import type { RenderConfig } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import type { Progress } from "#lib/render/chromium/install.ts";
import { launchKey } from "#lib/render/chromium/start-worker.ts";
import type { Worker } from "#lib/render/chromium/worker.ts";
import { markUnproven } from "#lib/render/readiness.ts";
import { stopping } from "#lib/render/render-faults.ts";
import { type EndReason, noteBrowserEnd, noteBrowserStart } from "#lib/render/render-metrics.ts";
import { Launcher } from "./launcher.ts";

type Wanted = { config: RenderConfig; launcher: Launcher; obsolete: AbortController };

/**
 * The place of one browser. Whatever happens to it, the supervisor gets another, and goes on trying for as long as it takes. One
 * that has drawn enough goes on until its successor is ready.
 */
export class WorkerSupervisor {
  readonly #onReady: () => void;
  readonly #onFailure: (error: unknown) => void;
  #wanted: Wanted | undefined;
  #worker: Worker | undefined;
  /** Takes over when the render under way has ended. */
  #successor: Worker | undefined;
  readonly #ending = new Set<Promise<void>>();
  #isBusy = false;
  #isLaunching = false;
  #isClosed = false;

  constructor(listeners: { onReady: () => void; onFailure: (error: unknown) => void }) {
    this.#onReady = listeners.onReady;
    this.#onFailure = listeners.onFailure;
  }

  /** The browser that serves, if one does. */
  get worker(): Worker | undefined {
    return this.#worker?.isUsable ? this.#worker : undefined;
  }

  /** False while there is no browser here and the last attempt at one has failed. */
  get isHopeful(): boolean {
    return this.worker !== undefined || (this.#isLaunching && !this.#wanted?.launcher.isPausing);
  }

  /** Whether there is to be a browser here and it does not start. */
  get isFailing(): boolean {
    return this.#wanted !== undefined && !this.isHopeful;
  }

  get isWanted(): boolean {
    return this.#wanted !== undefined;
  }

  /** From now on there is to be a browser of this configuration here. */
  want(config: RenderConfig, onProgress?: Progress): void {
    if (this.#isClosed) return;
    if (this.#wanted && launchKey(this.#wanted.config) === launchKey(config)) {
      this.#wanted.config = config;
    } else {
      this.#wanted?.obsolete.abort(stopping());
      this.#wanted = { config, launcher: new Launcher(config), obsolete: new AbortController() };
      this.#isLaunching = false;
      this.#end(this.#takeSuccessor());
      if (!this.#isBusy) this.#discard("configuration");
    }
    this.#fill(onProgress);
  }

  /** Somebody waits for it. */
  hurry(): void {
    this.#wanted?.launcher.hurry();
  }

  /** Whether it can take a render now. */
  get isIdle(): boolean {
    return this.worker !== undefined && !this.#isBusy && !this.#isClosed;
  }

  /** The browser for one render, until {@link release}. @throws Error unless the supervisor is idle */
  take(): Worker {
    if (!this.isIdle || !this.#worker) throw new Error("A supervisor that is not idle takes no render.");
    this.#isBusy = true;
    return this.#worker;
  }

  /** Makes the supervisor ready for another render: the page blank again, or another browser in its place. Never throws. */
  async release(taken: Worker): Promise<void> {
    const isCurrent = () => this.#worker === taken && taken.key === this.#key;
    const canGoOn = isCurrent() && !this.#successor && (await taken.clean()) && isCurrent();
    if (canGoOn) this.#wanted?.launcher.noteSuccess();
    this.#isBusy = false;
    if (!canGoOn && this.#worker === taken) {
      markUnproven();
      this.#discard(this.#reasonAgainst(taken));
    }
    this.#worker ??= this.#takeSuccessor();
    this.#fill();
    if (this.worker) this.#onReady();
  }

  /** Ends its browser in order, or the one about to start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wanted?.obsolete.abort(stopping());
    await Promise.all([this.#worker?.close(), this.#successor?.close(), ...this.#ending]);
  }

  get #key(): string | undefined {
    return this.#wanted && launchKey(this.#wanted.config);
  }

  #takeSuccessor(): Worker | undefined {
    const successor = this.#successor;
    this.#successor = undefined;
    return successor;
  }

  #end(worker: Worker | undefined): void {
    if (!worker) return;
    worker.kill();
    const gone = worker.gone.then(() => void this.#ending.delete(gone));
    this.#ending.add(gone);
  }

  #reasonAgainst(worker: Worker): EndReason {
    if (worker.key !== this.#key) return "configuration";
    if (this.#successor) return "renders";
    return worker.isOutgrown ? "memory" : "failed";
  }

  #discard(reason: EndReason): void {
    const worker = this.#worker;
    if (worker) noteBrowserEnd(reason);
    this.#worker = undefined;
    this.#end(worker);
  }

  /** Starts a browser where there is none, or where the one that serves has drawn enough. */
  #fill(onProgress?: Progress): void {
    if (!this.#wanted || this.#isLaunching || this.#isClosed) return;
    const isWorn = (this.worker?.renders ?? 0) >= this.#wanted.config.rendersPerBrowser;
    if (this.worker && (!isWorn || this.#successor)) return;
    this.#isLaunching = true;
    const { launcher, obsolete } = this.#wanted;
    const launched = this.#launch(launcher, { signal: obsolete.signal, onProgress });
    // It only fails when nobody wants it any more.
    const settled = launched.catch(() => undefined).finally(() => void this.#ending.delete(settled));
    this.#ending.add(settled);
  }

  async #launch(
    launcher: Launcher,
    options: { signal: AbortSignal; onProgress?: Progress | undefined },
  ): Promise<void> {
    const onFailure = (error: unknown) => {
      markUnproven();
      this.#onFailure(error);
    };
    const worker = await launcher.launch({ ...options, onFailure });
    if (options.signal.aborted) {
      worker.kill();
      return await worker.gone;
    }
    this.#isLaunching = false;
    this.#adopt(worker);
  }

  #adopt(worker: Worker): void {
    noteBrowserStart(worker);
    void worker.gone.then(() => this.#onGone(worker));
    if (this.#worker && this.#isBusy) {
      this.#successor = worker;
      return;
    }
    this.#discard("renders");
    this.#worker = worker;
    this.#onReady();
  }

  /** A browser that ends by itself is replaced before somebody needs it. */
  #onGone(worker: Worker): void {
    if (this.#successor === worker) this.#successor = undefined;
    if (this.#worker !== worker) return;
    this.#worker = this.#takeSuccessor();
    if (this.#isClosed) return;
    noteBrowserEnd("ended");
    if (worker.renders === 0) this.#wanted?.launcher.noteFailure();
    markUnproven();
    log().warn({ pid: worker.pid }, "The browser ended unasked and is replaced.");
    this.#fill();
  }
}
