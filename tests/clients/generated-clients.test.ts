import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "../e2e/service.ts";

const FOLDER = import.meta.dirname;
const GENERATED = join(FOLDER, "generated");
const DOCUMENT = join(GENERATED, "openapi.json");

const run = promisify(execFile);

/** Runs a program of this folder's own packages. @returns what it printed */
async function tool(name: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(FOLDER, "node_modules/.bin", name), ...args], {
    cwd: FOLDER,
    // They report to their makers otherwise.
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  return stdout + stderr;
}

let service: Service;

beforeAll(async () => {
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED);
  const { stdout } = await run("npm", ["run", "--silent", "openapi"]);
  writeFileSync(DOCUMENT, stdout);
  service = await startService({ SERVICE_RENDER_WORKERS: "1" });
});

afterAll(async () => {
  await service?.stop();
  rmSync(GENERATED, { recursive: true, force: true });
});

it("redocly finds no fault in the document, but that it names no licence", async () => {
  const report = await tool("redocly", "lint", DOCUMENT, "--format=json");
  const { problems } = JSON.parse(report.slice(report.indexOf("{"), report.lastIndexOf("}") + 1)) as {
    problems: { ruleId: string }[];
  };
  expect(problems.map(({ ruleId }) => ruleId)).toEqual(["info-license"]);
});

it("the document that is written without a server is the one that the server answers with", async () => {
  const answered = await (await fetch(`${service.origin}/api/service/openapi.json`)).json();
  expect(JSON.parse(readFileSync(DOCUMENT, "utf8"))).toEqual(answered);
});

describe("clients that are generated from the document", () => {
  beforeAll(async () => {
    await tool("openapi-typescript", DOCUMENT, "-o", join(GENERATED, "paths.ts"));
    await tool("openapi-ts", "-i", DOCUMENT, "-o", join(GENERATED, "hey"), "--silent");
    await tool("tsc", "-p", "programs");
  });

  it.each(["fetch-client", "hey-client"])("compile, render a picture and know an error: %s", async (name) => {
    const { stdout } = await run(process.execPath, [join(GENERATED, "out/programs", `${name}.js`), service.origin]);
    expect(stdout).toMatch(/^200 \d{4,}\ninvalid_data\n$/);
  });
});
