import { Autoscaler, DECISION_SECONDS, type Scaling } from "./autoscaler.ts";

/** The demand at each hour of a day, as a share of the peak: quiet nights, two peaks, a long evening. */
const HOURS = [12, 10, 8, 8, 10, 15, 25, 45, 70, 90, 100, 98, 88, 95, 100, 97, 90, 75, 60, 50, 42, 35, 25, 18];

/** Demand that comes within seconds, as batches and newsletters do: shares of the peak beside that of the hour. */
const BURSTS = [
  { from: 3 * 3_600, seconds: 900, share: 0.25 },
  { from: 20 * 3_600, seconds: 600, share: 0.3 },
];

const DAY_SECONDS = 86_400;
const STEP_SECONDS = 0.25;

/** Prometheus reads a pod this often, and the metric is the mean of a minute. */
const SCRAPE_SECONDS = 15;
const SCRAPES = 4;

export type Day = {
  /** Pictures a second at the peak, each one different. */
  peak: number;
  browsersPerPod: number;
  picturesPerPod: number;
  queueLimit: number;
  /** From the decision to the first picture of a new pod. */
  startSeconds: number;
  scaling: Scaling;
  seed: number;
};

export type Result = {
  pictures: number;
  /** The share of requests that were answered 503, because every queue was full. */
  refused: number;
  /** Waits in seconds, before a browser begins. */
  p50: number;
  p99: number;
  p999: number;
  podHours: number;
  mostPods: number;
  /** The share of the pods' time in which they draw. */
  utilisation: number;
};

type Pod = { readyAt: number; waiting: number; credit: number; drawing: number[]; queue: number[] };

/** Numbers from 0 to 1 that are the same in each run: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many of independent arrivals fall into a step, by Knuth's product of random numbers. */
function arrivals(mean: number, random: () => number): number {
  const end = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > end; product *= random()) count++;
  return count;
}

/** Demand as a share of the peak. */
export function demandAt(second: number): number {
  const hour = (second / 3_600) % 24;
  const [from = 0, to = 0] = [HOURS[Math.floor(hour)], HOURS[(Math.floor(hour) + 1) % 24]];
  const burst = BURSTS.find((one) => second >= one.from && second < one.from + one.seconds);
  return (from + (to - from) * (hour % 1)) / 100 + (burst?.share ?? 0);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: number[]) => (values.length === 0 ? 0 : sum(values) / values.length);

/** Waits by their length, in steps of 10 ms. */
class Waits {
  readonly #counts = new Float64Array(4_000);
  #total = 0;

  add(seconds: number, count: number): void {
    const slot = Math.min(Math.floor(seconds * 100), this.#counts.length - 1);
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
    this.#total += count;
  }

  quantile(share: number): number {
    let seen = 0;
    for (const [slot, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= share * this.#total) return slot / 100;
    }
    return Number.POSITIVE_INFINITY;
  }

  get total(): number {
    return this.#total;
  }
}

/** One day of a service whose balancer sends each request to any ready pod. */
class Simulation {
  readonly #day: Day;
  readonly #random: () => number;
  readonly #autoscaler: Autoscaler;
  readonly #waits = new Waits();
  #pods: Pod[];
  #refused = 0;
  #podSeconds = 0;
  #busySeconds = 0;
  #mostPods = 0;

  constructor(day: Day) {
    this.#day = day;
    this.#random = randomNumbers(day.seed);
    this.#autoscaler = new Autoscaler(day.scaling);
    this.#pods = Array.from({ length: day.scaling.minPods }, () => this.#newPod(0));
  }

  run(): Result {
    for (let step = 0; step * STEP_SECONDS < DAY_SECONDS; step++) {
      const at = step * STEP_SECONDS;
      const ready = this.#pods.filter(({ readyAt }) => readyAt <= at);
      const each = (demandAt(at) * this.#day.peak * STEP_SECONDS) / ready.length;
      for (const pod of ready) this.#serve(pod, arrivals(each, this.#random));
      this.#podSeconds += this.#pods.length * STEP_SECONDS;
      if (at % SCRAPE_SECONDS === 0) for (const pod of ready) this.#scrape(pod, each);
      if (at % DECISION_SECONDS === 0) this.#scale(at);
    }
    const pictures = this.#waits.total;
    return {
      pictures,
      refused: this.#refused / (pictures + this.#refused),
      p50: this.#waits.quantile(0.5),
      p99: this.#waits.quantile(0.99),
      p999: this.#waits.quantile(0.999),
      podHours: this.#podSeconds / 3_600,
      mostPods: this.#mostPods,
      utilisation: this.#busySeconds / this.#podSeconds,
    };
  }

  #newPod(readyAt: number): Pod {
    return { readyAt, waiting: 0, credit: 0, drawing: [], queue: [] };
  }

  #serve(pod: Pod, arrived: number): void {
    const { picturesPerPod, queueLimit, browsersPerPod } = this.#day;
    const able = picturesPerPod * STEP_SECONDS + pod.credit;
    const places = queueLimit + browsersPerPod + Math.floor(able) - pod.waiting;
    const admitted = Math.min(arrived, Math.max(places, 0));
    this.#refused += arrived - admitted;
    if (admitted > 0)
      this.#waits.add(Math.max(pod.waiting + admitted / 2 - browsersPerPod, 0) / picturesPerPod, admitted);
    const drawn = Math.min(pod.waiting + admitted, Math.floor(able));
    pod.waiting += admitted - drawn;
    // An idle pod does not save up time.
    pod.credit = pod.waiting > 0 ? able - drawn : Math.min(able - drawn, 1);
    this.#busySeconds += drawn / picturesPerPod;
  }

  /** What a moment shows: each browser works or not, and renders beyond the browsers wait. */
  #scrape(pod: Pod, each: number): void {
    const { browsersPerPod, picturesPerPod } = this.#day;
    const load = pod.waiting > 0 ? 1 : each / STEP_SECONDS / picturesPerPod;
    const drawing = Array.from({ length: browsersPerPod }, () => this.#random() < load).filter(Boolean).length;
    pod.drawing = [...pod.drawing, drawing].slice(-SCRAPES);
    pod.queue = [...pod.queue, Math.max(pod.waiting - browsersPerPod, 0)].slice(-SCRAPES);
  }

  #scale(at: number): void {
    const measured = {
      drawing: sum(this.#pods.map(({ drawing }) => mean(drawing))),
      queue: sum(this.#pods.map(({ queue }) => mean(queue))),
    };
    const wanted = this.#autoscaler.decide(at, this.#pods.length, measured);
    while (this.#pods.length < wanted) this.#pods.push(this.#newPod(at + this.#day.startSeconds));
    // A pod that ends finishes what it has accepted, so that its renders are not lost. The youngest end first.
    this.#pods = this.#pods.slice(0, wanted);
    this.#mostPods = Math.max(this.#mostPods, wanted);
  }
}

/** Simulates one day. The same day gives the same result. */
export function simulateDay(day: Day): Result {
  return new Simulation(day).run();
}
