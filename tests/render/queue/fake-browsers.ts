import { setImmediate } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";
import { abortable } from "#lib/abortable.ts";
import { type RenderConfig, renderConfig } from "#lib/config.ts";
import { launchKey } from "#lib/render/chromium/start-worker.ts";
import type { RenderWorker, StartWorker } from "#lib/render/queue/launch-backoff.ts";
import { RenderPool } from "#lib/render/queue/render-pool.ts";
import type { RenderOptions } from "#lib/render/queue/render-task.ts";
import { BrowserLost } from "#lib/render/render-faults.ts";
import type { RenderJob, Screenshot } from "#lib/render/render-job.ts";

const SIZE = { width: 100, height: 80 };

/** As much of a PNG as the pool looks at with SERVICE_RENDER_PNG=fast: signature and size. */
function pngHeader({ width, height }: { width: number; height: number }): Buffer {
  const png = Buffer.alloc(32);
  png.write("89504e470d0a1a0a", "hex");
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** `name0`, `name1` and so on. */
export const many = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);

/** A document that can be told from others by its name. */
export function jobNamed(name: string): RenderJob {
  return { html: name, ...SIZE };
}

/** A render that a fake browser works on until the test says how it ends. */
export type FakeRender = {
  name: string;
  worker: FakeWorker;
  signal: AbortSignal;
  finish(): void;
  fail(error: unknown): void;
};

/** A browser without Chromium: it stands where the outside world begins. */
export class FakeWorker implements RenderWorker {
  readonly key: string;
  readonly pid: number;
  isUsable = true;
  isOutgrown = false;
  renders = 0;
  /** What {@link clean} answers. */
  canBeCleaned = true;
  cleanings = 0;
  isClosed = false;
  /** How long its processes and files take to go after a kill. */
  lingering: Promise<void> = Promise.resolve();
  readonly #browsers: FakeBrowsers;
  readonly #gone = Promise.withResolvers<void>();

  constructor({ key, pid, browsers }: { key: string; pid: number; browsers: FakeBrowsers }) {
    this.key = key;
    this.pid = pid;
    this.#browsers = browsers;
  }

  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  async render(job: RenderJob, { signal, stamp }: Parameters<RenderWorker["render"]>[1]): Promise<Screenshot> {
    this.renders++;
    const end = Promise.withResolvers<void>();
    const render = { name: job.html, worker: this, signal, finish: () => end.resolve(), fail: end.reject };
    this.#browsers.begun.push(render);
    this.#browsers.onRender(render);
    await end.promise;
    stamp("load");
    stamp("capture");
    return { png: this.#browsers.picture(job), measured: undefined, examined: undefined, blockedRequests: [] };
  }

  async clean(): Promise<boolean> {
    this.cleanings++;
    return this.isUsable && this.canBeCleaned;
  }

  kill(): void {
    this.isUsable = false;
    void this.lingering.then(() => this.#gone.resolve());
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.kill();
    await this.gone;
  }
}

/** Fake browsers, and what happened to them. */
export class FakeBrowsers {
  readonly workers: FakeWorker[] = [];
  /** Attempts to start one. */
  starts = 0;
  /** Renders in the order in which browsers began them. */
  readonly begun: FakeRender[] = [];
  /** Delays or fails the start of a browser. */
  onStart: (signal: AbortSignal) => unknown = () => undefined;
  onRender: (render: FakeRender) => void = () => undefined;
  /** The PNG that a browser answers with. */
  picture: (job: RenderJob) => Buffer = pngHeader;

  readonly startWorker: StartWorker = async (config, { signal }) => {
    this.starts++;
    await this.onStart(signal);
    const worker = new FakeWorker({ key: launchKey(config), pid: 1_000 + this.workers.length, browsers: this });
    this.workers.push(worker);
    return worker;
  };

  /** Names of the renders that browsers began, in order. */
  get names(): string[] {
    return this.begun.map(({ name }) => name);
  }

  /** The last render that began under this name. */
  render(name: string): FakeRender {
    const render = this.begun.findLast((other) => other.name === name);
    if (!render) throw new Error(`No browser renders ${name}. Begun: ${this.names.join(", ")}.`);
    return render;
  }

  /** Finishes every render as soon as it begins, also those that have begun. */
  finishAll(): void {
    this.onRender = ({ finish }) => finish();
    for (const render of this.begun) render.finish();
  }

  /** Ends a browser in the middle of what it does, as a kill from outside would. */
  lose(worker: FakeWorker): void {
    worker.kill();
    for (const render of this.begun) if (render.worker === worker) render.fail(new BrowserLost("killed"));
  }
}

/** A browser that hangs while it starts, until it is given up. */
export const hang = (signal: AbortSignal) => abortable(new Promise(() => undefined), signal);

/** The render configuration of the tests, with these changes. */
export function configWith(changes: Partial<RenderConfig> = {}): RenderConfig {
  return { ...renderConfig(), png: "fast", queueLimit: 64, ...changes };
}

/** Lets everything happen that waits for no timer and no other process. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) await setImmediate();
}

type PoolOptions = {
  size?: number;
  config?: RenderConfig;
  /** Starts no browser before the first render. */
  isCold?: boolean;
};

/** A pool with fake browsers. It ends with the test. */
export async function startPool({ size = 1, config = configWith(), isCold = false }: PoolOptions = {}) {
  const browsers = new FakeBrowsers();
  const pool = new RenderPool({ size, startWorker: browsers.startWorker });
  onTestFinished(async () => {
    browsers.finishAll();
    await pool.stop(AbortSignal.abort());
  });
  if (!isCold) pool.start(config);
  await settle();
  const render = (
    name: string,
    { caller = "", sender, leavesBrowser, ...changes }: RenderOptions & Partial<RenderConfig> = {},
  ) => {
    const asked = { config: { ...config, ...changes }, caller, sender, leavesBrowser };
    return watch(pool.render(async () => jobNamed(name), asked));
  };
  return { browsers, pool, config, render };
}

/** How a render ended: "done", the code of its error, or undefined while it is under way. */
export type Watched = { outcome: string | undefined; error: unknown; done: Promise<void> };

export function watch(work: Promise<unknown>): Watched {
  const watched: Watched = { outcome: undefined, error: undefined, done: Promise.resolve() };
  watched.done = work.then(
    () => {
      watched.outcome = "done";
    },
    (error) => {
      watched.error = error;
      watched.outcome = error.code ?? String(error);
    },
  );
  return watched;
}

/** Lets fake timers pass. */
export async function pass(ms: number): Promise<void> {
  await settle();
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

/** A pool and the names of its events. */
export async function startWatched(options: PoolOptions = {}) {
  const started = await startPool(options);
  const events: string[] = [];
  started.pool.on("browserReplaced", (reason) => events.push(reason));
  started.pool.on("launchFailed", () => events.push("launch failed"));
  return { ...started, events };
}
