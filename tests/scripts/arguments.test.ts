import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const COMMANDS: Record<string, string[]> = {
  fonts: ["scripts/fonts.ts"],
  link: ["scripts/link.ts"],
  openapi: ["scripts/openapi/main.ts"],
  render: ["scripts/render.ts"],
  templates: ["scripts/templates.ts"],
  "templates -- new": ["scripts/templates.ts", "new"],
  "templates -- proof": ["scripts/templates.ts", "proof"],
  migrate: ["scripts/migrate.ts"],
  sbom: ["scripts/notices/sbom.ts"],
  bench: ["scripts/bench.ts"],
  soak: ["scripts/soak.ts"],
  scale: ["scripts/scale/main.ts"],
  users: ["scripts/users.ts"],
  database: ["scripts/database/main.ts"],
};

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

it.each(Object.entries(COMMANDS))("npm run %s prints its usage with --help", (name, command) => {
  const { stdout, ...rest } = run(...command, "--help");
  expect(rest).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`npm run (?:--silent )?${name.split(" ")[0]}`));
});

it.each(Object.entries(COMMANDS))("npm run %s exits with 2 and names an option that it does not have", (_, command) => {
  const { stderr, ...rest } = run(...command, "--no-such-option");
  expect(rest).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("--no-such-option");
  expect(stderr).not.toContain("    at ");
});

it.each([
  ["scripts/bench.ts", "--runs", "0", "a number above 0, and 100000 at most."],
  ["scripts/bench.ts", "--runs", "0.5", "a whole number."],
  ["scripts/bench.ts", "--seconds", "soon", "a number above 0, and 100000 at most."],
  ["scripts/soak.ts", "--renders", "-1", "a number above 0, and 100000 at most."],
  ["scripts/scale/main.ts", "--peak", "1e9", "a number above 0, and 100000 at most."],
])("%s refuses %s %s", (script, option, value, wanted) => {
  const { stderr, ...rest } = run(script, `${option}=${value}`);
  expect(rest).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(`Got "${value}", want ${wanted}`);
});

it("npm start takes no arguments, and says where settings are", () => {
  const { status, stdout } = run("scripts/start.ts", "--port", "8080");
  expect([status, stdout]).toEqual([1, expect.stringContaining('Got \\"--port\\", \\"8080\\", want no arguments.')]);
});
