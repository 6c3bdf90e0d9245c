import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDataDir, prepareMachine, removeDir } from "#tests/render/rig.ts";
import { templateFolder } from "./one-template.ts";

let folder: string;

beforeAll(async () => {
  await prepareMachine();
  folder = templateFolder(emptyDataDir());
});

afterAll(() => removeDir(folder));

function prove(...args: string[]) {
  const env = { ...process.env, SERVICE_TEMPLATES_DIR: folder };
  return spawnSync(process.execPath, ["scripts/templates.ts", "proof", ...args], { encoding: "utf8", env });
}

it("a fault ends the command with 1, and is in the table, the JSON, the page and the contact sheet", () => {
  const out = join(folder, "out");
  const { status, stdout, stderr } = prove("card", "--only", "plain/paper:", "--out", out);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^template +pictures +faulty +contrast\ncard +4 +1 +1\n/);
  expect(stdout).toMatch(/^card plain\/paper:black: contrast title /m);
  expect(stderr).toContain("4 of 4 pictures, 1 with faults");
  const report = JSON.parse(readFileSync(join(out, "proof.json"), "utf8"));
  expect(report).toMatchObject({ pictures: 4, faulty: 1 });
  const page = readFileSync(join(out, "index.html"), "utf8");
  expect(page).toContain("pictures/card-plain-paper-black.png");
  expect(existsSync(join(out, "pictures/card-plain-paper-black.png"))).toBe(true);
  expect(readFileSync(join(out, "card.png")).subarray(1, 4).toString()).toBe("PNG");
});

it("pictures without a fault end it with 0", () => {
  const { status, stdout } = prove("--only", "plain/own", "--json", "--out", join(folder, "out"));
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ pictures: 1, faulty: 0 });
});

it("an unknown template is named, with the nearest one", () => {
  const { status, stderr } = prove("crad");
  expect(status).toBe(2);
  expect(stderr).toContain('Got "crad", want one of card. Did you mean "card"?');
});

it("a run that proves nothing is a failure, and so is a check without templates", () => {
  const { status, stderr } = prove("card", "--only", "plain/papr:", "--out", join(folder, "out"));
  expect([status, stderr]).toEqual([2, expect.stringContaining('Got --only "plain/papr:", which no picture has')]);
  const empty = emptyDataDir();
  const env = { ...process.env, SERVICE_TEMPLATES_DIR: empty };
  const checked = spawnSync(process.execPath, ["scripts/templates.ts", "--out", join(folder, "out")], {
    encoding: "utf8",
    env,
  });
  expect([checked.status, checked.stderr]).toEqual([1, expect.stringContaining("There is no template.")]);
  removeDir(empty);
});
