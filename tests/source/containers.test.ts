import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VARIABLES } from "#lib/environment/variables.ts";
import { STOP_MARGIN_MS } from "#lib/http/http-limits.ts";
import { readCompose } from "#tests/compose-file.ts";
import { IMAGE_COMMAND, IMAGE_ENVIRONMENT } from "#tests/dockerfile.ts";

const dockerfile = readFileSync("Dockerfile", "utf8");

const { services } = readCompose({ PLATEN_ORIGIN: "https://platen.example.com", POSTGRES_PASSWORD: "letters1" });
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

it("starts a container as npm start does", () => {
  expect(`exec ${IMAGE_COMMAND.join(" ")}`).toBe(scripts.start);
  expect(services.migrate.command?.join(" ")).toBe(scripts.migrate?.replace("exec ", ""));
});

it("names only variables that Platen reads", () => {
  const names = [...Object.keys(IMAGE_ENVIRONMENT), ...Object.keys(services.platen.environment ?? {})];
  expect(names).toContain("SERVICE_DATA_DIR");
  const own = names.filter((name) => !["HOME", "NODE_ENV"].includes(name) && !name.startsWith("OTEL_"));
  expect(own.filter((name) => !VARIABLES.has(name))).toEqual([]);
});

it("leaves a container enough time to stop", () => {
  const wantMs =
    Number(IMAGE_ENVIRONMENT.SERVICE_DRAIN_DELAY_MS) +
    Number(VARIABLES.get("SERVICE_RENDER_TIMEOUT_MS")) +
    STOP_MARGIN_MS;
  expect(Number.parseInt(services.platen.stop_grace_period ?? "", 10) * 1_000).toBeGreaterThanOrEqual(wantMs);
  expect(Number(/--stop-timeout (\d+)/.exec(dockerfile)?.[1]) * 1_000).toBeGreaterThanOrEqual(wantMs);
});

it("migrates a healthy PostgreSQL before the server starts, and starts nginx after it", () => {
  expect(services.migrate.depends_on?.postgres?.condition).toBe("service_healthy");
  expect(services.platen.depends_on?.migrate?.condition).toBe("service_completed_successfully");
  expect(services.nginx.depends_on?.platen?.condition).toBe("service_healthy");
  expect(services.postgres.healthcheck).toBeDefined();
  expect(services.postgres.image).toMatch(/^postgres:17\b/);
});

it("changes one line of the shipped configuration of nginx", () => {
  const [, pattern = "", replacement = ""] = /sed 's\/(.*)\/(.*)\/'/.exec(services.nginx.command?.at(-1) ?? "") ?? [];
  const lines = readFileSync("deploy/nginx.conf", "utf8").split("\n");
  expect(lines.filter((line) => new RegExp(pattern).test(line)).map((line) => line.trim())).toEqual([
    "server 127.0.0.1:3000 fail_timeout=1s;",
  ]);
  expect(replacement).toBe("server platen:3000 ");
});

it("lets Chromium make its sandbox in both, and neither mount nor trace", () => {
  expect(services.platen.security_opt).toContain("seccomp:./seccomp.json");
  const { defaultAction, syscalls } = JSON.parse(readFileSync("deploy/seccomp.json", "utf8")) as {
    defaultAction: string;
    syscalls: { names: string[]; action: string }[];
  };
  expect(defaultAction).toBe("SCMP_ACT_ERRNO");
  const allowed = syscalls.flatMap(({ names, action }) => (action === "SCMP_ACT_ALLOW" ? names : []));
  expect(allowed).toEqual(expect.arrayContaining(["chroot", "clone", "seccomp", "unshare"]));
  const dangerous = [
    "bpf",
    "init_module",
    "io_uring_setup",
    "keyctl",
    "mount",
    "pivot_root",
    "ptrace",
    "setns",
    "umount2",
  ];
  expect(dangerous.filter((name) => allowed.includes(name))).toEqual([]);
});
