import type { RenderImages } from "#lib/images/render-images.ts";
import { DISPLACING_USE, DRAW_MS, DRAW_MS_PER_PIXEL } from "#lib/render/render-limits.ts";
import type { RenderTask } from "./render-task.ts";

export function imagesMs({ pixels }: RenderImages): number {
  return pixels * DRAW_MS_PER_PIXEL;
}

type Uses = {
  /** What those who ask for a task have used lately, in milliseconds. */
  useOf: (task: RenderTask) => number;
  /** What the one for whom room is made has used. */
  ownMs: number;
};

/**
 * The task that costs most, and of equal ones the newest. Its cost is what those who ask for it have used lately, of browsers and of
 * places, the time for drawing its images, and the time for which it waits for a fetch or a thread. It must be clearly more than the
 * one for whom room is made has used. So those that ask for little are served, even if others fill the queue with large images, with
 * images of a server that does not answer, or with one render after the other.
 */
export function costliest(tasks: RenderTask[], { useOf, ownMs }: Uses): RenderTask | undefined {
  const costs = tasks.map((task) => ({ task, ms: useOf(task) + imagesMs(task.images) + task.images.waitingMs }));
  const [most] = costs.toReversed().toSorted((a, b) => b.ms - a.ms);
  return most && most.ms > DRAW_MS + DISPLACING_USE * ownMs ? most.task : undefined;
}
