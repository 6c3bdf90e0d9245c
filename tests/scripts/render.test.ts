import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeTemplate } from "#tests/templates/template-folder.ts";
import { prepareMachine } from "../render/rig.ts";

const folder = mkdtempSync(join(tmpdir(), "platen-cli-"));
const output = join(folder, "picture.png");

beforeAll(prepareMachine);
afterAll(() => rmSync(folder, { recursive: true }));

/** Draws a template with a misspelt filter. */
function runFaulty() {
  writeTemplate(folder, "faulty", { "template.html": "<p>{{ title | upcas }}</p>" });
  const env = { ...process.env, SERVICE_TEMPLATES_DIR: folder, SERVICE_LOG_LEVEL: "info" };
  return spawnSync(process.execPath, ["scripts/render.ts", "faulty", "-o", output], { encoding: "utf8", env });
}

function run(data: object, ...options: string[]) {
  rmSync(output, { force: true });
  const args = ["social/quote", "--data", JSON.stringify(data), "-o", output, ...options];
  return spawnSync(process.execPath, ["scripts/render.ts", ...args], { encoding: "utf8" });
}

const WARNED = { quote: "Less is more.", highlight: "nowhere" };

describe("npm run render", () => {
  it("writes the picture, and prints warnings to standard error", () => {
    const { status, stdout, stderr } = run(WARNED);
    expect([status, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/^Warning: \/data\/highlight field_ignored: .+\nWrote /m);
    expect(readFileSync(output).subarray(1, 4).toString()).toBe("PNG");
  });

  it("writes no picture with --strict and a warning", () => {
    const { status, stderr } = run(WARNED, "--strict");
    expect(status).toBe(1);
    expect(stderr).toContain("/data/highlight field_ignored: ");
    expect(existsSync(output)).toBe(false);
  });

  it("writes the picture with --strict and no warning", () => {
    const { status, stderr } = run({ quote: "Less is more." }, "--strict");
    expect([status, stderr.includes("Warning")]).toEqual([0, false]);
    expect(existsSync(output)).toBe(true);
  });

  it("tells each fault of a template once, and that it is not served", () => {
    const { status, stderr } = runFaulty();
    expect([status, stderr.match(/upcas\./g)?.length]).toEqual([1, 1]);
    expect(stderr).toContain('The template "faulty" has faults, so it is not served.');
  });
});
