import { readFileSync } from "node:fs";
import type { Deployment } from "kubernetes-types/apps/v1";
import type { ConfigMap } from "kubernetes-types/core/v1";
import { afterEach, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { configReport } from "#lib/config-report.ts";

const DIR = "deploy/kubernetes";

type Operation = { op: "add" | "remove" | "replace"; path: string; value?: unknown };
type Overlay = { resources: string[]; patches: { target: { kind: string; name: string }; patch: string }[] };
type Base = { settings: ConfigMap; deployment: Deployment };

function readBase(): Base {
  const read = (name: string) => parse(readFileSync(`${DIR}/base/${name}.yaml`, "utf8"));
  // As JSON, because a copy of an alias must not change with the original.
  return JSON.parse(JSON.stringify({ settings: read("settings"), deployment: read("deployment") })) as Base;
}

/** Changes one place of a manifest, as RFC 6902 says. @throws Error where `remove` or `replace` finds nothing */
function change(manifest: object, { op, path, value }: Operation): void {
  const keys = path.split("/").slice(1);
  const last = keys.pop() ?? "";
  const parent = keys.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], manifest);
  const members = parent as Record<string, unknown>;
  if (op !== "add" && !(last in members)) throw new Error(`${op}: there is no ${path}`);
  if (op === "remove") delete members[last];
  else members[last] = value;
}

/** The base with the patches of an overlay. */
function build(name: string): Base {
  const overlay = parse(readFileSync(`${DIR}/${name}/kustomization.yaml`, "utf8")) as Overlay;
  expect(overlay.resources).toEqual(["../base"]);
  const base = readBase();
  for (const { target, patch } of overlay.patches) {
    const manifest = Object.values(base).find(
      ({ kind, metadata }) => kind === target.kind && metadata?.name === target.name,
    );
    if (!manifest) throw new Error(`There is no ${target.kind} ${target.name}.`);
    for (const operation of parse(patch) as Operation[]) change(manifest, operation);
  }
  return base;
}

/** What the environment of the pods says, without the secret. */
function useSettings({ settings }: Base): void {
  for (const [name, value] of Object.entries(settings.data ?? {})) vi.stubEnv(name, value);
}

afterEach(() => vi.unstubAllEnvs());

it("open mode wants neither accounts nor a secret", () => {
  const base = build("open-mode");
  const [container] = base.deployment.spec?.template.spec?.containers ?? [];
  expect(container?.env).toBeUndefined();
  expect(container?.envFrom?.map(({ secretRef }) => secretRef?.optional ?? true)).toEqual([true, true]);
  expect(base.settings.data?.SERVICE_AUTH_ENABLED).toBe("false");
  useSettings(base);
  expect(configReport()).toMatchObject({ fatal: [], render: [], access: [], open: [], unknown: [] });
});

it("the sandbox of Chromium is wanted, under the shipped profile", () => {
  const base = build("chromium-sandbox");
  expect(base.deployment.spec?.template.spec?.securityContext?.seccompProfile).toEqual({
    type: "Localhost",
    localhostProfile: "platen.json",
  });
  expect(base.settings.data?.SERVICE_CHROMIUM_SANDBOX).toBe("on");
  useSettings(base);
  expect(configReport()).toMatchObject({ fatal: [], render: [], unknown: [] });
});
