import type { FairQueue } from "./fair-queue.ts";
import type { WorkerSupervisor } from "./worker-supervisor.ts";

/** One of the browsers of a pool. */
export type WorkerSlot = {
  supervisor: WorkerSupervisor;
  /** The caller of the render that its browser works on, if it works on one. */
  caller: string | undefined;
  /** Whether that render leaves a browser to others. */
  leavesBrowser: boolean;
  /** The last picture, which is compressed while the browser renders the next one. */
  encoding: Promise<void>;
};

/** A browser that serves. `startedAt` is on the clock of `performance.now()`; `pid` is undefined for a remote browser. */
export type ServingBrowser = { pid: number | undefined; renders: number; startedAt: number };

export type RenderPoolState = {
  /** How many renders wait. */
  waiting: number;
  /** How many of them take a place in the queue; renders for the service's own pages and probes take none. */
  placesTaken: number;
  /** How many renders a browser works on. */
  rendering: number;
  browsers: ServingBrowser[];
  /** How many of the wanted browsers fail to start. */
  failing: number;
};

export function poolState(slots: readonly WorkerSlot[], queue: FairQueue): RenderPoolState {
  const supervisors = slots.map(({ supervisor }) => supervisor);
  return {
    waiting: queue.size,
    placesTaken: queue.placesTaken,
    rendering: slots.filter(({ caller }) => caller !== undefined).length,
    browsers: supervisors.flatMap(({ serving }) =>
      serving ? { pid: serving.worker.pid, renders: serving.worker.renders, startedAt: serving.startedAt } : [],
    ),
    failing: supervisors.filter(({ isFailing }) => isFailing).length,
  };
}
