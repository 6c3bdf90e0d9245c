import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PNG_EFFORTS, VARIABLES } from "#lib/environment/variables.ts";

/** The rows of the README's table of variables, as name and default. A row may name several variables. */
function rows(): [name: string, unset: string][] {
  const [, table = ""] = readFileSync("README.md", "utf8").split("\n| variable | default | |\n");
  const lines = table.slice(0, table.indexOf("\n\n")).split("\n").slice(1);
  return lines.flatMap((line) => {
    const [, names = "", unset = ""] = line.split("|").map((cell) => cell.trim());
    return names.split(", ").map((name): [string, string] => [name.replaceAll("`", ""), unset]);
  });
}

it("describes every variable in the README, and no other", () => {
  const documented = rows().map(([name]) => name);
  expect(documented.toSorted()).toEqual([...VARIABLES.keys()].toSorted());
});

it("names every effort of PNG compression in its row", () => {
  const row = readFileSync("README.md", "utf8").match(/^\| `SERVICE_RENDER_PNG` .*$/m)?.[0];
  expect(PNG_EFFORTS.filter((effort) => !row?.includes(`\`${effort}\``))).toEqual([]);
});

it("gives each variable the default that the README names", () => {
  const documented = new Map(rows());
  const wrong = [...VARIABLES].filter(
    ([name, unset]) => unset !== undefined && !documented.get(name)?.startsWith(`\`${unset}\``),
  );
  expect(wrong).toEqual([]);
});
