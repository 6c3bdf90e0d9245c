import { parseArgs } from "node:util";
import { HelpRequest, positiveNumber, runCommand } from "../run-command.ts";
import type { Scaling } from "./autoscaler.ts";
import { dayOf, manifestScaling } from "./days.ts";
import { simulateDay } from "./simulate.ts";
import { tableRow } from "./table-row.ts";

const USAGE = `Simulates a day of the autoscaler of deploy/kubernetes, and compares its numbers with others.

  npm run scale [-- --peak <pictures a second>] [--pod <pictures a second>] [--start <seconds>]

  --peak    the demand at noon, each picture different; 1000 when absent
  --pod     what one pod with two browsers draws; 30 when absent, as measured for gradients on two cores
  --start   from the decision to the first picture of a new pod; 30 when absent, 120 where nodes have to be added first`;

function main(): void {
  const options = {
    peak: { type: "string", default: "1000" },
    pod: { type: "string", default: "30" },
    start: { type: "string", default: "30" },
    help: { type: "boolean", short: "h" },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help) throw new HelpRequest(USAGE);
  const numberOf = (text: string) => positiveNumber(text, USAGE);
  const load = { peak: numberOf(values.peak), pod: numberOf(values.pod), start: numberOf(values.start) };
  const own = manifestScaling();
  const variants: [string, Partial<Scaling>][] = [
    [`busy ${own.drawing}, queue ${own.queue}: the manifest`, {}],
    [`busy ${own.drawing} alone`, { queue: undefined }],
    [`queue ${own.queue} alone`, { drawing: undefined }],
    ["queue 32 alone", { drawing: undefined, queue: 32 }],
    ["busy 1.0, queue 4", { drawing: 1, queue: 4 }],
    ["busy 1.8, queue 4", { drawing: 1.8, queue: 4 }],
    ["the manifest, from 4 pods on", { minPods: 4 }],
  ];
  console.log("| follows, for each pod | refused | wait, median | wait, p99 | pod hours | most pods | drawing |");
  console.log("|---|---|---|---|---|---|---|");
  for (const [name, targets] of variants) console.log(tableRow(name, simulateDay(dayOf(load, targets))));
}

await runCommand(async () => main());
