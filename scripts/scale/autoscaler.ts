/** How far the number of pods may be from that at the beginning of a period. */
type Policy = { type: "Percent" | "Pods"; value: number; periodSeconds: number };

/** How fast the number of pods changes. Of several policies, the one that allows most counts, as by default. */
type Behavior = {
  scaleUp: { policies: Policy[] };
  scaleDown: { stabilizationWindowSeconds: number; policies: Policy[] };
};

/** What an autoscaler follows, as in `deploy/kubernetes/base/autoscaler.yaml`. */
export type Scaling = {
  minPods: number;
  maxPods: number;
  /** Browsers at work, a pod. Undefined leaves the metric out. */
  drawing: number | undefined;
  /** Renders that wait, a pod. Undefined leaves the metric out. */
  queue: number | undefined;
  behavior: Behavior;
};

/** The sums of a metric over all pods. */
export type Measured = { drawing: number; queue: number };

/** How often the autoscaler of Kubernetes decides, by default. */
export const DECISION_SECONDS = 15;

/** A difference of less than this share changes nothing, by default. */
const TOLERANCE = 0.1;

type Change = { at: number; pods: number };

/**
 * The algorithm of the HorizontalPodAutoscaler.
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details
 */
export class Autoscaler {
  readonly #scaling: Scaling;
  #wanted: Change[] = [];
  #changes: Change[] = [];

  constructor(scaling: Scaling) {
    this.#scaling = scaling;
  }

  /** @param at in seconds @returns how many pods there are to be */
  decide(at: number, pods: number, measured: Measured): number {
    const { minPods, maxPods, behavior } = this.#scaling;
    const windowSeconds = behavior.scaleDown.stabilizationWindowSeconds;
    const wanted = Math.max(...(["drawing", "queue"] as const).map((name) => this.#wantedBy(name, pods, measured)));
    this.#wanted = [...this.#wanted.filter((one) => at - one.at < windowSeconds), { at, pods: wanted }];
    const stable = wanted > pods ? wanted : Math.min(pods, Math.max(...this.#wanted.map((one) => one.pods)));
    const next = Math.min(Math.max(this.#limited(at, pods, stable), minPods), maxPods);
    if (next !== pods) this.#changes.push({ at, pods: next - pods });
    return next;
  }

  #wantedBy(name: keyof Measured, pods: number, measured: Measured): number {
    const target = this.#scaling[name];
    if (target === undefined) return 0;
    const ratio = measured[name] / pods / target;
    return Math.abs(ratio - 1) <= TOLERANCE ? pods : Math.ceil(measured[name] / target);
  }

  #limited(at: number, pods: number, wanted: number): number {
    const { scaleUp, scaleDown } = this.#scaling.behavior;
    const direction = wanted > pods ? 1 : -1;
    const { policies } = wanted > pods ? scaleUp : scaleDown;
    const limits = policies.map(({ type, value, periodSeconds }) => {
      const before = this.#changes
        .filter((change) => at - change.at < periodSeconds)
        .reduce((sum, change) => sum - change.pods, pods);
      return Math.ceil(before + direction * (type === "Pods" ? value : (before * value) / 100));
    });
    return wanted > pods ? Math.min(wanted, Math.max(...limits)) : Math.max(wanted, Math.min(...limits));
  }
}
