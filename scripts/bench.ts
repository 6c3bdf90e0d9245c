import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { chartOf } from "./bench/chart.ts";
import { drawByPlaten, startContenders, startPlaten } from "./bench/contenders.ts";
import { benchLinks } from "./bench/links.ts";
import { CARDS, CLIENTS, measure, median } from "./bench/load.ts";
import { benchLoginFlood } from "./bench/login-flood.ts";
import { type Result, summarize, tableOf } from "./bench/report.ts";
import { loadEnvironment } from "./environment.ts";
import { HelpRequest, positiveInteger, positiveNumber, runCommand } from "./run-command.ts";

const USAGE = `Measures Platen against other ways to render a card, through HTTP: ${CLIENTS} clients, every picture different.

  npm run bench -- [--rounds 5] [--seconds 3] [--json <file>] [--chart <file.svg>] [--only <name>]
  npm run bench -- --templates [--runs 30]    the shipped templates only, one caller, by stage
  npm run bench -- --fitting [--runs 30]      what fitting the texts takes inside the page
  npm run bench -- --cold [--runs 5]          from the start of a built tree to the first picture
  npm run bench -- --flood [--seconds 20]     how others are served during a flood of logins
  npm run bench -- --links [--rounds 5]       a link whose picture is kept, straight and through nginx's cache; needs wrk`;

const OPTIONS = {
  rounds: { type: "string", default: "5" },
  seconds: { type: "string" },
  json: { type: "string" },
  chart: { type: "string" },
  only: { type: "string", multiple: true, default: [] as string[] },
  templates: { type: "boolean", default: false },
  fitting: { type: "boolean", default: false },
  cold: { type: "boolean", default: false },
  flood: { type: "boolean", default: false },
  links: { type: "boolean", default: false },
  runs: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const satisfies ParseArgsOptionsConfig;

type Load = { rounds: number; seconds: number };

/** Measures every contender once per round, so that a slow minute of the machine affects all of them. */
async function run(only: string[], { rounds, seconds }: Load): Promise<Result[]> {
  const { contenders, stop } = await startContenders();
  try {
    const chosen = contenders.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
    const results = chosen.map(({ name, note, draw }) => ({
      name,
      note,
      draw,
      rounds: { gradient: [], flat: [] } as Result["rounds"],
    }));
    for (const { draw } of results) for (const card of CARDS) await measure(draw, { card, seconds: 0.5 });
    for (let round = 1; round <= rounds; round++) {
      console.error(`Round ${round} of ${rounds} …`);
      for (const card of CARDS)
        for (const result of results) result.rounds[card].push(await measure(result.draw, { card, seconds }));
    }
    return results;
  } finally {
    await stop();
  }
}

/** Milliseconds from `npm start` of a built tree, with Chromium unpacked, to the last byte of the first picture. */
async function measureColdStart(title: string): Promise<number> {
  const startedAt = performance.now();
  const server = await startPlaten("balanced", "/healthz");
  try {
    await drawByPlaten(server)("gradient", title);
    return Math.round(performance.now() - startedAt);
  } finally {
    await server.end();
  }
}

async function benchColdStarts(runs: number): Promise<void> {
  // Not counted: it may build.
  await measureColdStart("warm");
  const ms: number[] = [];
  for (let start = 0; start < runs; start++) ms.push(await measureColdStart(`Start ${start}`));
  console.log(`First picture after ${median(ms)} ms (median of ${ms.join(", ")}).`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) throw new HelpRequest(USAGE);
  const rounds = positiveInteger(values.rounds, USAGE);
  const seconds = positiveNumber(values.seconds ?? (values.flood ? "20" : "3"), USAGE);
  const runs = positiveInteger(values.runs ?? (values.cold ? "5" : "30"), USAGE);
  loadEnvironment("production");
  if (values.templates) return await (await import("./bench/shipped-templates.ts")).benchTemplates(runs);
  if (values.fitting) return await (await import("./bench/fitting.ts")).benchFitting(runs);
  if (values.cold) return await benchColdStarts(runs);
  if (values.flood) return await benchLoginFlood(seconds);
  if (values.links) return await benchLinks({ rounds, seconds });
  const rows = (await run(values.only, { rounds, seconds })).map(summarize);
  const machine = { cpu: cpus()[0]?.model.trim(), cores: availableParallelism(), node: process.version };
  console.table(tableOf(rows));
  if (values.json)
    writeFileSync(values.json, `${JSON.stringify({ date: new Date(), machine, clients: CLIENTS, rows }, null, 2)}\n`);
  if (values.chart) writeFileSync(values.chart, chartOf(rows, machine));
}

await runCommand(main);
