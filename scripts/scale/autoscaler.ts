/** What an autoscaler follows, as in `deploy/kubernetes/base/autoscaler.yaml`. */
export type Scaling = {
  minPods: number;
  maxPods: number;
  /** Browsers at work, a pod. Undefined leaves the metric out. */
  drawing: number | undefined;
  /** Renders that wait, a pod. Undefined leaves the metric out. */
  queue: number | undefined;
};

/** The sums of a metric over all pods. */
export type Measured = { drawing: number; queue: number };

/** How often the autoscaler of Kubernetes decides, by default. */
export const DECISION_SECONDS = 15;

/** A difference of less than this share changes nothing, by default. */
const TOLERANCE = 0.1;

const UP = { percent: 100, pods: 4, seconds: 30 };
const DOWN = { percent: 20, seconds: 60, windowSeconds: 300 };

type Change = { at: number; pods: number };

/**
 * The algorithm of the HorizontalPodAutoscaler with the behaviour of the manifest.
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
    const { minPods, maxPods } = this.#scaling;
    const wanted = Math.max(...(["drawing", "queue"] as const).map((name) => this.#wantedBy(name, pods, measured)));
    this.#wanted = [...this.#wanted.filter((one) => at - one.at < DOWN.windowSeconds), { at, pods: wanted }];
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

  /** The policies: how far the number of pods may be from that at the beginning of the period. */
  #limited(at: number, pods: number, wanted: number): number {
    const before = (seconds: number) =>
      this.#changes.filter((change) => at - change.at < seconds).reduce((sum, change) => sum - change.pods, pods);
    if (wanted > pods)
      return Math.min(wanted, Math.max(before(UP.seconds) * (1 + UP.percent / 100), before(UP.seconds) + UP.pods));
    return Math.max(wanted, Math.ceil(before(DOWN.seconds) * (1 - DOWN.percent / 100)));
  }
}
