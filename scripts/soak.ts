import { parseArgs } from "node:util";
import { rendering, shutDown, warmUp } from "#lib/render/render.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { median } from "./bench/load.ts";
import { prepareRendering } from "./prepare.ts";
import { HelpRequest, positiveInteger, runCommand } from "./run-command.ts";
import { drawMany, type Outcome, type Sample } from "./soak/load.ts";

// Run with the V8 flags of `npm start`. A larger young generation grows by 100 MB over thousands of renders without a leak.

/** Renders before the first sample that counts: caches fill and code is compiled. */
const SETTLING_RENDERS = 100;

/** Renders whose samples are combined, because memory varies between two garbage collections. */
const WINDOW_RENDERS = 200;

/** How much the memory may grow from the first renders of the steady round to its end. */
const GROWTH_LIMIT = 0.05;

const RECYCLE_EVERY = 20;
const KILL_EVERY = 50;

type Row = Record<string, string | number>;

/** The memory after the first renders and after the last, in MB. */
function trend(samples: Sample[], what: (sample: Sample) => number): { first: number; last: number; growth: number } {
  const total = samples.at(-1)?.renders ?? 0;
  const from = (start: number) =>
    median(samples.filter(({ renders }) => renders > start && renders <= start + WINDOW_RENDERS).map(what)) / 1e6;
  const [first, last] = [from(SETTLING_RENDERS), from(total - WINDOW_RENDERS)];
  return { first, last, growth: (last - first) / first };
}

function describe({ first, last, growth }: ReturnType<typeof trend>): string {
  return `${first.toFixed(0)} → ${last.toFixed(0)} MB (${growth >= 0 ? "+" : ""}${(growth * 100).toFixed(1)} %)`;
}

/** @returns a row of the report, and a line for each limit that was exceeded */
function judge(name: string, outcome: Outcome, { isSteady }: { isSteady: boolean }): { row: Row; broken: string[] } {
  const server = trend(outcome.samples, ({ serverBytes }) => serverBytes);
  const browsers = trend(outcome.samples, ({ browserBytes }) => browserBytes);
  const broken = [
    ...outcome.failures.map((failure) => `${name}: ${failure}`),
    ...outcome.differing.map((input) => `${name}: ${input} gave other bytes`),
  ];
  if (isSteady && server.growth > GROWTH_LIMIT) broken.push(`${name}: the server grew, ${describe(server)}`);
  if (isSteady && browsers.growth > GROWTH_LIMIT) broken.push(`${name}: the browsers grew, ${describe(browsers)}`);
  const row = {
    round: name,
    renders: outcome.renders,
    "renders/s": Number((outcome.renders / outcome.seconds).toFixed(1)),
    failures: outcome.failures.length,
    differing: outcome.differing.length,
    browsers: outcome.browsers.size,
    "server's memory": describe(server),
    "browsers' memory": describe(browsers),
  };
  return { row, broken };
}

function killOne(renders: number): void {
  const [pid] = rendering.get().pids;
  if (renders % KILL_EVERY === 0 && pid !== undefined) process.kill(pid, "SIGKILL");
}

const USAGE = `Draws every variant of every template again and again, and fails where memory grows or a picture differs from the first.

  npm run soak [-- --renders <number>]

  --renders   pictures of each of the three rounds; 1000 when absent`;

async function main(): Promise<void> {
  const options = { renders: { type: "string", default: "1000" }, help: { type: "boolean", short: "h" } } as const;
  const { values } = parseArgs({ options });
  if (values.help) throw new HelpRequest(USAGE);
  const count = positiveInteger(values.renders, USAGE);
  // Without a cache every picture is rendered.
  Object.assign(process.env, { SERVICE_RENDER_CACHE_MB: "0", SERVICE_RENDER_WORKERS: "2" });
  const { templates } = await prepareRendering();
  const inputs: RenderRequest[] = templates.flatMap(({ slug, variants }) =>
    Object.keys(variants).map((variant) => ({ template: slug, variant })),
  );
  const digests = new Map<string, string>();
  try {
    await warmUp();
    const steady = judge("steady", await drawMany(inputs, { count, digests }), { isSteady: true });
    process.env.SERVICE_RENDER_RECYCLE = String(RECYCLE_EVERY);
    const recycled = await drawMany(inputs, { count, digests });
    delete process.env.SERVICE_RENDER_RECYCLE;
    const killed = await drawMany(inputs, { count, digests, onRender: killOne });
    const rounds = [
      steady,
      judge(`new browsers every ${RECYCLE_EVERY}`, recycled, { isSteady: false }),
      judge(`one killed every ${KILL_EVERY}`, killed, { isSteady: false }),
    ];
    console.log(`${inputs.length} inputs, two browsers, four renders at a time:`);
    console.table(rounds.map(({ row }) => row));
    const broken = rounds.flatMap((round) => round.broken);
    for (const line of broken) console.error(line);
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    await shutDown();
  }
}

await runCommand(main);
