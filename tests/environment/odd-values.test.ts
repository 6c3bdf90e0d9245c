import { resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { readVariables, renderConfig, serverConfig, templateFolders } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";
import { STORE, VARIABLES } from "#lib/environment/variables.ts";
import { storeConfig } from "#lib/link-config.ts";

afterEach(() => vi.unstubAllEnvs());

const STORE_SETTINGS = {
  SERVICE_CACHE_S3_URL: "https://store.example/bucket",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "secret",
};

function faults(environment: Record<string, string>): string[] {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { fatal, render, access, open } = configReport();
  return [...fatal, ...render, ...access, ...open].map(({ variable, message }) => `${variable}: ${message}`);
}

test.each([...VARIABLES.keys()])("%s in quotes, as Docker and kubectl keep those of their files, is told", (name) => {
  const accounts = {
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_ADMIN_EMAIL: "a@b.c",
    SERVICE_ADMIN_PASSWORD: "x".repeat(12),
  };
  for (const quote of [`"`, "'"]) {
    const told = faults({ ...STORE_SETTINGS, ...accounts, [name]: `${quote}Zq9${quote}` });
    expect(told).toContainEqual(expect.stringMatching(`^${name}: got .*(?:quotes|Zq9)`));
  }
});

test("a line end behind a value, as many a secret of Kubernetes has, does no harm", () => {
  const environment = { HOST: "::1\n", SERVICE_DATA_DIR: "/data\r\n", SERVICE_TEMPLATES_DIR: "cards:shipped\n" };
  const store = { ...STORE_SETTINGS, AWS_ACCESS_KEY_ID: "id\n", AWS_SECRET_ACCESS_KEY: " secret\r" };
  expect(faults({ ...environment, ...store })).toEqual([]);
  expect([serverConfig().host, renderConfig().dataDir, templateFolders()]).toEqual([
    "::1",
    resolve("/data"),
    [resolve("cards"), "shipped"],
  ]);
  expect(readVariables(STORE).values).toMatchObject({ accessKeyId: "id", secretAccessKey: "secret" });
});

test("a path of white space only is no folder", () => {
  expect(faults({ SERVICE_DATA_DIR: " \n" })).toEqual(["SERVICE_DATA_DIR: got white space only, want a path"]);
});

test.each(["to ken", "to\nken", "tökên", "\n"])(
  "credentials such as %j fit in no header, and are told without a quotation",
  (token) => {
    const [fault, ...others] = faults({ ...STORE_SETTINGS, AWS_SESSION_TOKEN: token });
    expect(fault).toMatch(/^AWS_SESSION_TOKEN: got \d characters/);
    expect(others).toEqual([]);
  },
);

test("without a bucket, credentials that another program needs are not looked at", () => {
  expect(faults({ AWS_REGION: "a b", AWS_SESSION_TOKEN: "to\nken" })).toEqual([]);
  expect(storeConfig()).toBeUndefined();
});

test("a password of the first administrator that no form can type is told", () => {
  const told = faults({
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_ADMIN_EMAIL: "a@example.com",
    SERVICE_ADMIN_PASSWORD: "correct horse battery\n",
  });
  expect(told).toEqual([
    "SERVICE_ADMIN_PASSWORD: got 22 characters, want 12 to 256, without white space at either end",
  ]);
});

test("a value that almost switches accounts on is told as it is", () => {
  expect(faults({ SERVICE_AUTH_ENABLED: "true\n" })).toEqual([
    'SERVICE_AUTH_ENABLED: got "true\\n", want exactly "true" for accounts and tokens',
  ]);
});

test("open mode tells a wrong origin and a wrong trust in a proxy, which decide on the hosts that it answers", () => {
  expect(faults({ SERVICE_PUBLIC_ORIGIN: "platen.example.com", SERVICE_TRUST_PROXY: "yes" })).toEqual([
    'SERVICE_PUBLIC_ORIGIN: got "platen.example.com", want an origin such as https://platen.example.com',
    'SERVICE_TRUST_PROXY: got "yes", want "true", "false", or the number of proxies, 2 to 9',
  ]);
});
