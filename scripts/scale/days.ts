import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { Scaling } from "./autoscaler.ts";
import type { Day } from "./simulate.ts";

const Autoscaler = z.object({
  spec: z.object({
    metrics: z.array(
      z.object({
        pods: z.object({ metric: z.object({ name: z.string() }), target: z.object({ averageValue: z.string() }) }),
      }),
    ),
  }),
});

/** A quantity of Kubernetes: `4`, or `1400m` for 1.4. */
const quantity = (text: string) => (text.endsWith("m") ? Number(text.slice(0, -1)) / 1_000 : Number(text));

/** The numbers of the manifest. */
export function manifestTargets(): Pick<Scaling, "drawing" | "queue"> {
  const { spec } = Autoscaler.parse(parse(readFileSync("deploy/kubernetes/base/autoscaler.yaml", "utf8")));
  const targets = new Map(spec.metrics.map(({ pods }) => [pods.metric.name, quantity(pods.target.averageValue)]));
  return { drawing: targets.get("platen_renders_drawing"), queue: targets.get("platen_render_queue") };
}

/** A day at `peak`, with room for twice the pods that the peak takes. */
export function dayOf(
  { peak, pod, start }: { peak: number; pod: number; start: number },
  targets: Partial<Scaling>,
): Day {
  const minPods = Math.max(2, Math.round((peak * 0.12) / pod));
  const maxPods = Math.ceil((peak / pod) * 2.4);
  const scaling = { drawing: undefined, queue: undefined, ...targets, minPods, maxPods };
  return { peak, browsersPerPod: 2, picturesPerPod: pod, queueLimit: 64, startSeconds: start, scaling, seed: 1 };
}
