import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { Scaling } from "./autoscaler.ts";
import type { Day } from "./simulate.ts";

const Policies = z.array(z.object({ type: z.enum(["Percent", "Pods"]), value: z.number(), periodSeconds: z.number() }));

const Autoscaler = z.object({
  spec: z.object({
    minReplicas: z.number(),
    maxReplicas: z.number(),
    metrics: z.array(
      z.object({
        pods: z.object({ metric: z.object({ name: z.string() }), target: z.object({ averageValue: z.string() }) }),
      }),
    ),
    behavior: z.object({
      // The simulation scales up at once.
      scaleUp: z.object({ stabilizationWindowSeconds: z.literal(0), policies: Policies }),
      scaleDown: z.object({ stabilizationWindowSeconds: z.number(), policies: Policies }),
    }),
  }),
});

/** A quantity of Kubernetes: `4`, or `1400m` for 1.4. */
const quantity = (text: string) => (text.endsWith("m") ? Number(text.slice(0, -1)) / 1_000 : Number(text));

/** The autoscaler of the manifest. */
export function manifestScaling(): Scaling {
  const { spec } = Autoscaler.parse(parse(readFileSync("deploy/kubernetes/base/autoscaler.yaml", "utf8")));
  const targets = new Map(spec.metrics.map(({ pods }) => [pods.metric.name, quantity(pods.target.averageValue)]));
  return {
    minPods: spec.minReplicas,
    maxPods: spec.maxReplicas,
    drawing: targets.get("platen_renders_drawing"),
    queue: targets.get("platen_render_queue"),
    behavior: spec.behavior,
  };
}

/** A day at `peak`. The autoscaler is that of the manifest, but for what `changes` names. */
export function dayOf(
  { peak, pod, start }: { peak: number; pod: number; start: number },
  changes: Partial<Scaling> = {},
): Day {
  const scaling = { ...manifestScaling(), ...changes };
  return { peak, browsersPerPod: 2, picturesPerPod: pod, queueLimit: 64, startSeconds: start, scaling, seed: 1 };
}
