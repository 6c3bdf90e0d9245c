import type { Result } from "./simulate.ts";

/** A row of the table in `docs/scale.md`. */
export function tableRow(name: string, { refused, p50, p99, podHours, mostPods, utilisation }: Result): string {
  const cells = [
    `${(refused * 100).toFixed(3)} %`,
    `${p50.toFixed(2)} s`,
    `${p99.toFixed(2)} s`,
    podHours.toFixed(0),
    mostPods,
    `${(utilisation * 100).toFixed(0)} %`,
  ];
  return `| ${[name, ...cells].join(" | ")} |`;
}
