import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Deployment } from "kubernetes-types/apps/v1";
import type { HorizontalPodAutoscaler } from "kubernetes-types/autoscaling/v2";
import type { Job } from "kubernetes-types/batch/v1";
import type { ConfigMap, Container, PodSpec, Service } from "kubernetes-types/core/v1";
import type { NetworkPolicy } from "kubernetes-types/networking/v1";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1";
import { afterEach, describe, expect, it, vi } from "vitest";
import { configReport } from "#lib/config-report.ts";
import { VARIABLES } from "#lib/environment/variables.ts";
import { STOP_MARGIN_MS } from "#lib/http/http-limits.ts";
import { type Manifest, readManifests, typeFaults } from "./manifests.ts";

const DIR = "deploy/kubernetes";

type Kustomization = Manifest & { resources: string[]; images?: { name: string; newName: string; newTag: string }[] };

const files = globSync(`${DIR}/**/*.yaml`).toSorted();
const kustomizations = files.filter((file) => file.endsWith("kustomization.yaml"));
/** Manifests of kinds that every cluster has. */
const manifests = files.filter((file) => /\/(?:base|migrate)\/(?!kustomization)/.test(file)).flatMap(readManifests);

function find<Kind>(kind: string): Kind {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind);
  if (!found || others.length > 0) throw new Error(`Want one ${kind}.`);
  return found as Kind;
}

const deployment = find<Deployment>("Deployment");
const job = find<Job>("Job");
const settings = find<ConfigMap>("ConfigMap").data ?? {};
const autoscaler = find<HorizontalPodAutoscaler>("HorizontalPodAutoscaler");
const policy = find<NetworkPolicy>("NetworkPolicy");
const disruptions = find<PodDisruptionBudget>("PodDisruptionBudget");
const service = find<Service>("Service");

function podOf(workload: Deployment | Job): PodSpec & { container: Container } {
  const pod = workload.spec?.template.spec;
  const [container, ...others] = pod?.containers ?? [];
  if (!pod || !container || others.length > 0) throw new Error("Want one container.");
  return { ...pod, container };
}

const server = podOf(deployment);
const labels = deployment.spec?.template.metadata?.labels;

afterEach(() => vi.unstubAllEnvs());

describe("the manifests of Kubernetes", () => {
  it("have the keys and types that Kubernetes documents", () => {
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      "ConfigMap",
      "Deployment",
      "HorizontalPodAutoscaler",
      "Job",
      "Namespace",
      "NetworkPolicy",
      "PodDisruptionBudget",
      "Service",
    ]);
    // Two more, to see that a wrong key and a wrong type would be found.
    const misspelt = { ...deployment, spec: { ...deployment.spec, replica: 2 } };
    const mistyped = { ...deployment, spec: { ...deployment.spec, minReadySeconds: "5" } };
    expect(typeFaults([...manifests, misspelt, mistyped] as Manifest[])).toEqual([
      expect.stringContaining(`'"replica"' does not exist in type 'DeploymentSpec'`),
      expect.stringContaining("'string' is not assignable to type 'number'"),
    ]);
  });

  it("are all used by a kustomization, which names only what is there", () => {
    const used = kustomizations.flatMap((file) =>
      (readManifests(file)[0] as Kustomization).resources.map((path) => normalize(join(dirname(file), path))),
    );
    const folders = kustomizations.map((file) => dirname(file));
    expect(used.filter((path) => !files.includes(path) && !folders.includes(path))).toEqual([]);
    expect(files.filter((file) => /\/(?:base|migrate)\//.test(file) && !used.includes(file))).toEqual(
      kustomizations.filter((file) => /\/(?:base|migrate)\//.test(file)),
    );
  });

  it("run the version of this tree", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    for (const file of kustomizations)
      for (const image of (readManifests(file)[0] as Kustomization).images ?? [])
        expect(image.newTag, file).toBe(version);
    expect([server.container.image, podOf(job).container.image]).toEqual(["platen", "platen"]);
  });

  it("select the pods that they mean", () => {
    expect(deployment.spec?.selector.matchLabels).toEqual(labels);
    expect(service.spec?.selector).toEqual(labels);
    expect(disruptions.spec?.selector?.matchLabels).toEqual(labels);
    for (const { labelSelector } of server.topologySpreadConstraints ?? [])
      expect(labelSelector?.matchLabels).toEqual(labels);
    // The job needs the database as well.
    for (const pod of [labels, job.spec?.template.metadata?.labels])
      expect(pod).toMatchObject(policy.spec?.podSelector.matchLabels ?? { none: "" });
    expect(autoscaler.spec?.scaleTargetRef).toMatchObject({ kind: "Deployment", name: deployment.metadata?.name });
    expect(labels?.["app.kubernetes.io/component"]).not.toBe(
      job.spec?.template.metadata?.labels?.["app.kubernetes.io/component"],
    );
  });

  it("agree on the port", () => {
    const port = server.container.ports?.[0];
    expect(port?.containerPort).toBe(Number(VARIABLES.get("PORT")));
    const { startupProbe, livenessProbe, readinessProbe } = server.container;
    const probes = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet?.port);
    const others = [service.spec?.ports?.[0]?.targetPort, policy.spec?.ingress?.[0]?.ports?.[0]?.port];
    expect(new Set([...probes, ...others])).toEqual(new Set([port?.name]));
  });

  it("do not restart a server because of its database", () => {
    const { startupProbe, livenessProbe, readinessProbe } = server.container;
    expect([startupProbe, livenessProbe].map((probe) => probe?.httpGet?.path)).toEqual(["/healthz", "/healthz"]);
    expect(readinessProbe?.httpGet?.path).toBe("/readyz");
  });

  it("give a server the time that a stop takes", () => {
    const ms = (name: string) => Number(settings[name] ?? VARIABLES.get(name));
    const [program, seconds] = server.container.lifecycle?.preStop?.exec?.command ?? [];
    expect(program).toBe("sleep");
    const preStop = Number(seconds) * 1_000;
    const longest = preStop + ms("SERVICE_DRAIN_DELAY_MS") + ms("SERVICE_RENDER_TIMEOUT_MS") + STOP_MARGIN_MS;
    expect((server.terminationGracePeriodSeconds ?? 0) * 1_000).toBeGreaterThanOrEqual(longest);
    expect(ms("SERVICE_DRAIN_DELAY_MS")).toBeGreaterThanOrEqual(5_000);
  });

  it("set only variables that Platen reads, to values that it accepts", () => {
    const names = [server, podOf(job)].flatMap(({ container }) => (container.env ?? []).map(({ name }) => name));
    expect([...names, ...Object.keys(settings)].filter((name) => !VARIABLES.has(name))).toEqual([]);
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    expect(configReport()).toMatchObject({ fatal: [], render: [], access: [] });
  });

  it("take secrets by reference", () => {
    expect(Object.keys(settings).filter((name) => /URL|PASSWORD|EMAIL|KEY|HEADERS/.test(name))).toEqual([]);
    // Every entry of the secret is a variable, so that keys of links and of a bucket can be in it.
    expect(server.container.envFrom).toEqual([
      { configMapRef: { name: find<ConfigMap>("ConfigMap").metadata?.name } },
      { secretRef: { name: "platen", optional: true } },
    ]);
    // A pod without it would start with a database of its own.
    const required = { name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "platen", key: "DATABASE_URL" } } };
    expect([server.container.env, podOf(job).container.env]).toEqual([[required], [required]]);
  });

  it("reserve the memory and the processors that the browsers may take", () => {
    const mebibytes = (text = "") => Number(/^(\d+)Gi$/.exec(text)?.[1]) * 1024;
    const workers = Number(settings.SERVICE_RENDER_WORKERS);
    const { requests, limits } = server.container.resources ?? {};
    expect(mebibytes(limits?.memory)).toBeGreaterThanOrEqual(
      1_024 + workers * Number(VARIABLES.get("SERVICE_RENDER_WORKER_MB")),
    );
    expect(Number(requests?.cpu)).toBe(workers);
  });

  it.each([
    ["server", deployment],
    ["migration", job],
  ])("run the %s without rights, on a read-only root", (_name, workload) => {
    const { securityContext, automountServiceAccountToken, container, volumes } = podOf(workload);
    expect(automountServiceAccountToken).toBe(false);
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1001,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(["/data", "/tmp"]);
    expect(volumes?.every(({ emptyDir }) => emptyDir?.sizeLimit)).toBe(true);
    expect(container.volumeMounts?.map(({ name }) => name)).toEqual(volumes?.map(({ name }) => name));
  });

  it("scale on the same metrics at the same numbers with the adapter and with KEDA", () => {
    const wanted = autoscaler.spec?.metrics?.map(({ pods }) => [pods?.metric.name, pods?.target.averageValue]);
    expect(wanted).toEqual([
      ["platen_renders_drawing", "1400m"],
      ["platen_render_queue", "4"],
    ]);
    const [adapter, keda] = ["prometheus-adapter", "keda"].map((name) =>
      readFileSync(`${DIR}/options/${name}.yaml`, "utf8"),
    );
    for (const [name = "", target = ""] of wanted ?? []) {
      expect(adapter).toContain(`avg_over_time(${name}{<<.LabelMatchers>>}[1m])`);
      const threshold = target.endsWith("m") ? Number.parseInt(target, 10) / 1_000 : Number(target);
      expect(keda).toContain(
        `query: sum(avg_over_time(${name}{namespace="platen"}[1m]))\n        threshold: "${threshold}"`,
      );
      expect(readFileSync("lib/render/render-metrics.ts", "utf8")).toContain(`name: "${name}"`);
    }
    const [scaled] = readManifests(`${DIR}/options/keda.yaml`) as (Manifest & {
      spec: {
        minReplicaCount: number;
        maxReplicaCount: number;
        advanced: { horizontalPodAutoscalerConfig: object };
      };
    })[];
    const { minReplicas, maxReplicas, behavior } = autoscaler.spec ?? {};
    expect(scaled?.spec).toMatchObject({
      minReplicaCount: minReplicas,
      maxReplicaCount: maxReplicas,
      advanced: { horizontalPodAutoscalerConfig: { behavior } },
    });
  });

  it("have pods enough for the thousand pictures a second of docs/scale.md", () => {
    const row = /^\| gradients and shadows, `balanced` \|.*\| (\d+) \|$/m.exec(readFileSync("docs/scale.md", "utf8"));
    expect(autoscaler.spec?.maxReplicas).toBeGreaterThanOrEqual(Number(row?.[1]));
  });

  it("let pods reach PostgreSQL and PgBouncer", () => {
    const ports = policy.spec?.egress?.flatMap(({ ports }) => ports?.map(({ port }) => port) ?? []);
    expect(ports).toEqual(expect.arrayContaining([5432, 6432]));
  });

  it("let pods reach no private address but those that they name", () => {
    const [open] = policy.spec?.egress?.filter(({ to }) => to?.some(({ ipBlock }) => ipBlock)) ?? [];
    expect(open?.ports).toEqual([{ protocol: "TCP", port: 443 }]);
    const excepted = open?.to?.flatMap(({ ipBlock }) => ipBlock?.except ?? []) ?? [];
    for (const range of [
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "100.64.0.0/10",
      "127.0.0.0/8",
      "169.254.0.0/16",
    ])
      expect(excepted).toContain(range);
    expect(open?.to?.flatMap(({ ipBlock }) => ipBlock?.cidr)).toEqual(["0.0.0.0/0", "2000::/3"]);
  });
});
