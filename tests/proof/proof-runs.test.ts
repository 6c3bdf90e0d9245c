import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { rendering, shutDown } from "#lib/render/render.ts";
import { ProofReport } from "#lib/schemas/proof.ts";
import { send } from "#tests/app/client.ts";
import { captureLog } from "#tests/captured-log.ts";
import { errorOf } from "#tests/http/requests.ts";
import { emptyDataDir, ownDataDir, prepareMachine, removeDir } from "#tests/render/rig.ts";
import { templateFolder } from "./one-template.ts";

let dataDir: string;
let templates: string;

beforeAll(async () => {
  await prepareMachine();
  dataDir = await ownDataDir();
  templates = templateFolder(emptyDataDir());
  Object.assign(process.env, { SERVICE_DATA_DIR: dataDir, SERVICE_TEMPLATES_DIR: templates });
});

afterAll(async () => {
  await shutDown();
  delete process.env.SERVICE_TEMPLATES_DIR;
  delete process.env.SERVICE_DATA_DIR;
  removeDir(dataDir);
  removeDir(templates);
});

async function ask(method: "GET" | "POST"): Promise<ProofReport> {
  const response = await send(method, "proofs/card");
  expect(response.status).toBe(method === "POST" ? 202 : 200);
  return ProofReport.parse(await response.json());
}

it("a run of a mounted template is kept, takes one place among the renders, and names its faults", async () => {
  expect(await ask("GET")).toEqual({ template: "card", run: null, failure: null, kept: null });
  const started = await ask("POST");
  expect(started.run).not.toBeNull();
  // A second start joins the run.
  expect((await ask("POST")).run).not.toBeNull();
  let report = await ask("GET");
  while (report.run) {
    const { waiting, rendering: busy } = rendering.get().state;
    expect(waiting + busy).toBeLessThanOrEqual(1);
    await setTimeout(20);
    report = await ask("GET");
  }
  expect(report.failure).toBeNull();
  expect(report.kept).toMatchObject({ isCurrent: true });
  expect(report.kept?.pictures).toBeGreaterThan(30);
  const kinds = report.kept?.faulty.flatMap(({ faults }) => faults.map(({ kind }) => kind)) ?? [];
  expect(new Set(kinds)).toContain("contrast");
  const black = report.kept?.faulty.find(({ content }) => content === "paper:black");
  expect(black?.data).toEqual({ paper: "#000000" });
});

/** Which browsers serve, and how many pictures each has drawn. */
const browsers = () => rendering.get().state.browsers.map(({ pid, renders }) => ({ pid, renders }));

it("a proof that could not be kept is not drawn, and the log says why", async () => {
  const proofs = join(dataDir, "proofs");
  rmSync(proofs, { recursive: true, force: true });
  writeFileSync(proofs, "");
  const lines = captureLog();
  const before = browsers();
  await ask("POST");
  await vi.waitFor(async () => expect((await ask("GET")).failure).toContain("The log of the service has the reason."), {
    timeout: 60_000,
  });
  expect(browsers()).toEqual(before);
  expect(lines.join()).toMatch(
    /EEXIST: user \S+ cannot mkdir \S+proofs\. A file stands where a folder belongs\. Move it\./,
  );
});

it("an unknown template has no proof", async () => {
  for (const method of ["GET", "POST"] as const)
    expect((await errorOf(await send(method, "proofs/no/such"))).code).toBe("unknown_template");
});
