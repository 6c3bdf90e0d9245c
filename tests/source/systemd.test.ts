import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VARIABLES } from "#lib/environment/variables.ts";
import { STOP_MARGIN_MS } from "#lib/http/http-limits.ts";

/** The longest delay of a stop that the README plans for, in milliseconds. */
const DRAIN_DELAY_MS = 5_000;

const settings = [...readFileSync("deploy/systemd/platen.service", "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(
  ([, name = "", value = ""]) => ({ name, value }),
);
const valuesOf = (wanted: string) => settings.filter(({ name }) => name === wanted).map(({ value }) => value);

it("names only variables that Platen reads", () => {
  const names = valuesOf("Environment").map((value) => value.split("=")[0]);
  expect(names).toContain("SERVICE_DATA_DIR");
  expect(names.filter((name = "") => name !== "HOME" && !VARIABLES.has(name))).toEqual([]);
});

it("leaves a server enough time to stop", () => {
  const renderMs = Number(VARIABLES.get("SERVICE_RENDER_TIMEOUT_MS"));
  expect(Number(valuesOf("TimeoutStopSec")[0]) * 1_000).toBeGreaterThanOrEqual(
    DRAIN_DELAY_MS + renderMs + STOP_MARGIN_MS,
  );
});

it("leaves what Chromium's sandbox and V8 need", () => {
  for (const name of ["RestrictNamespaces", "MemoryDenyWriteExecute", "SystemCallFilter", "PrivateUsers"])
    expect(valuesOf(name), name).toEqual([]);
  expect(valuesOf("StateDirectory")).toEqual(["platen"]);
});
