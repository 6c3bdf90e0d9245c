import type { RenderConfig } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import type { Progress } from "#lib/render/chromium/install.ts";
import { launchKey, type StartOptions } from "#lib/render/chromium/start-worker.ts";
import { stopping } from "#lib/render/render-faults.ts";
import { LaunchBackoff, type RenderWorker, type StartWorker } from "./launch-backoff.ts";

/**
 * Why a browser was replaced: it has rendered enough, it has grown too large, it failed at a render, it ended unasked, or the
 * configuration changed.
 */
export const REPLACE_REASONS = ["renders", "memory", "failed", "ended", "configuration"] as const;

export type ReplaceReason = (typeof REPLACE_REASONS)[number];

type Dependencies = {
  startWorker: StartWorker;
  /** A browser can take a render. */
  onReady: () => void;
  /** A start failed. Another attempt follows by itself. */
  onLaunchFailed: (error: unknown) => void;
  /** A browser no longer serves. */
  onReplaced: (reason: ReplaceReason) => void;
};

type Serving = { worker: RenderWorker; startedAt: number };

type Wanted = { config: RenderConfig; backoff: LaunchBackoff; obsolete: AbortController };

/**
 * Keeps one browser running. A browser that fails is replaced, and failed starts are repeated without end. A browser
 * that has rendered enough serves until its successor is ready.
 */
export class WorkerSupervisor {
  readonly #dependencies: Dependencies;
  #wanted: Wanted | undefined;
  #serving: Serving | undefined;
  /** Takes over once the current render has ended. */
  #successor: Serving | undefined;
  /** Browsers that are starting or ending. */
  readonly #unsettled = new Set<Promise<void>>();
  #isBusy = false;
  #isLaunching = false;
  #isClosed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** The browser that serves, if one does, and when it began to, on the clock of `performance.now()`. */
  get serving(): Serving | undefined {
    return this.#serving?.worker.isUsable ? this.#serving : undefined;
  }

  /** True when a browser serves or is being started; false in the pause after a failed attempt. */
  get isHopeful(): boolean {
    return this.serving !== undefined || (this.#isLaunching && !this.#wanted?.backoff.isPausing);
  }

  /** True when a browser is wanted and fails to start. */
  get isFailing(): boolean {
    return this.isWanted && !this.isHopeful;
  }

  get isWanted(): boolean {
    return this.#wanted !== undefined;
  }

  /** True when a browser can take a render now. */
  get isIdle(): boolean {
    return this.serving !== undefined && !this.#isBusy;
  }

  /** Keeps a browser of this configuration running from now on. */
  want(config: RenderConfig, onProgress?: Progress): void {
    if (this.#isClosed) return;
    if (this.#wanted && this.#key === launchKey(config)) this.#wanted.config = config;
    else this.#change(config);
    this.#fill(onProgress);
  }

  /** Shortens the pause before the next attempt: a render waits. */
  hurry(): void {
    this.#wanted?.backoff.hurry();
  }

  /** Reserves the browser for one render, until {@link release}. @throws Error unless the supervisor is idle */
  take(): RenderWorker {
    if (!this.isIdle || !this.#serving) throw new Error("The supervisor has no idle browser.");
    this.#isBusy = true;
    return this.#serving.worker;
  }

  /**
   * Prepares for the next render: with a clean page, or with another browser. Never throws.
   * @param onCleaned called when the browser has ended its work for the last render, before it gets the next one
   */
  async release(taken: RenderWorker, onCleaned: () => void): Promise<void> {
    const isCurrent = () => this.#serving?.worker === taken && taken.key === this.#key;
    const canGoOn = isCurrent() && !this.#successor && (await taken.clean()) && isCurrent();
    onCleaned();
    this.#isBusy = false;
    if (canGoOn) this.#wanted?.backoff.reset();
    else if (this.#serving?.worker === taken) this.#replace(this.#reasonAgainst(taken));
    this.#serving ??= this.#takeSuccessor();
    this.#fill();
    if (this.serving) this.#dependencies.onReady();
  }

  /** Ends the browser in order, and any attempt to start one. Resolves once all of them are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wanted?.obsolete.abort(stopping());
    await Promise.all([this.#serving?.worker.close(), this.#successor?.worker.close(), ...this.#unsettled]);
  }

  get #key(): string | undefined {
    return this.#wanted && launchKey(this.#wanted.config);
  }

  #change(config: RenderConfig): void {
    const { startWorker, onLaunchFailed } = this.#dependencies;
    this.#wanted?.obsolete.abort(stopping());
    const backoff = new LaunchBackoff({ config, startWorker, onFailure: onLaunchFailed });
    this.#wanted = { config, backoff, obsolete: new AbortController() };
    this.#isLaunching = false;
    this.#kill(this.#takeSuccessor());
    if (!this.#isBusy) this.#replace("configuration");
  }

  #takeSuccessor(): Serving | undefined {
    const successor = this.#successor;
    this.#successor = undefined;
    return successor;
  }

  #kill(ending: Serving | undefined): void {
    if (!ending) return;
    ending.worker.kill();
    this.#waitFor(ending.worker.gone);
  }

  /** {@link close} waits for this. */
  #waitFor(work: Promise<void>): void {
    const settled = work.finally(() => void this.#unsettled.delete(settled));
    this.#unsettled.add(settled);
  }

  #reasonAgainst(worker: RenderWorker): ReplaceReason {
    if (worker.key !== this.#key) return "configuration";
    if (this.#successor) return "renders";
    return worker.isOutgrown ? "memory" : "failed";
  }

  #replace(reason: ReplaceReason): void {
    const ending = this.#serving;
    if (!ending) return;
    this.#serving = undefined;
    this.#kill(ending);
    this.#dependencies.onReplaced(reason);
  }

  /** Starts a browser where none serves, or where the one that serves has rendered enough. */
  #fill(onProgress?: Progress): void {
    if (!this.#wanted || this.#isLaunching || this.#isClosed) return;
    const isWorn = (this.serving?.worker.renders ?? 0) >= this.#wanted.config.rendersPerBrowser;
    if (this.serving && (!isWorn || this.#successor)) return;
    this.#isLaunching = true;
    const { backoff, obsolete } = this.#wanted;
    // It rejects only after `obsolete` has aborted.
    this.#waitFor(this.#launch(backoff, { signal: obsolete.signal, onProgress }).catch(() => undefined));
  }

  async #launch(backoff: LaunchBackoff, options: StartOptions): Promise<void> {
    const worker = await backoff.launch(options);
    if (options.signal.aborted) {
      worker.kill();
      return await worker.gone;
    }
    this.#isLaunching = false;
    this.#adopt(worker);
  }

  #adopt(worker: RenderWorker): void {
    const adopted = { worker, startedAt: performance.now() };
    void worker.gone.then(() => this.#onGone(worker));
    if (this.#serving && this.#isBusy) {
      this.#successor = adopted;
      return;
    }
    this.#replace(this.serving ? "renders" : "ended");
    this.#serving = adopted;
    this.#dependencies.onReady();
  }

  /** Replaces a browser that has ended unasked before a render needs it. */
  #onGone(worker: RenderWorker): void {
    if (this.#successor?.worker === worker) this.#successor = undefined;
    if (this.#serving?.worker !== worker) return;
    this.#serving = this.#takeSuccessor();
    if (this.#isClosed) return;
    if (worker.renders === 0) this.#wanted?.backoff.noteFailure();
    log().warn({ pid: worker.pid }, "The browser exited unexpectedly and is being replaced.");
    this.#dependencies.onReplaced("ended");
    this.#fill();
  }
}
