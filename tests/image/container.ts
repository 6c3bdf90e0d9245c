import { execFile, execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Client } from "#tests/e2e/client.ts";
import { afterThisProcess } from "#tests/end-watcher.ts";
import { spawnGroup } from "#tests/process-group.ts";

const run = promisify(execFile);

const PROGRAMS = ["buildah", "debootstrap", "runc"];

/** Kept between runs, because a base takes one to three minutes, and the layers of the packages as long. */
const CACHE_DIR = join(tmpdir(), "platen-image-test");

/** The processor of this machine, as Debian and Docker call it. */
const ARCH = process.arch === "x64" ? "amd64" : process.arch;

const BASE = "localhost/platen-test-base";

const IMAGE = "localhost/platen-test";

/** What `debian:bookworm-slim` leaves out, too. */
const NOT_IN_SLIM = ["var/cache/apt/archives/*.deb", "var/lib/apt/lists/*", "usr/share/{doc,locale,man}/*"];

/** The certificates of this machine, for a proxy that opens TLS. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

const READY_TIMEOUT_MS = 120_000;

/** The id of the user of the image. */
export const IMAGE_USER = 1001;

/** @throws Error that says what to install */
export function requirePrograms(): void {
  const missing = PROGRAMS.filter((name) => {
    try {
      execFileSync("which", [name], { stdio: "ignore" });
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0)
    throw new Error(
      `Got no ${missing.join(", ")}. Run "apt-get install --no-install-recommends ${PROGRAMS.join(" ")}".`,
    );
  if (process.getuid?.() !== 0) throw new Error("Got an ordinary user, want root, who may make containers.");
}

/** Runs buildah with a store of the tests. It needs neither a daemon nor namespaces. */
async function buildah(...args: string[]): Promise<string> {
  const [command = "", ...rest] = args;
  const store = ["--root", join(CACHE_DIR, "store"), "--runroot", join(CACHE_DIR, "run")];
  const { stdout } = await run("buildah", [...store, command, ...rest], { maxBuffer: 100_000_000 });
  return stdout.trim();
}

/** Makes a Debian 12 from its packages, in place of the image of a registry. */
async function makeBase(): Promise<void> {
  if (await buildah("images", "--quiet", BASE).catch(() => "")) return;
  const root = join(CACHE_DIR, "debian");
  if (!existsSync(root)) {
    const staging = `${root}.partial`;
    rmSync(staging, { recursive: true, force: true });
    await run("debootstrap", ["--variant=minbase", "bookworm", staging]);
    for (const path of globSync(NOT_IN_SLIM, { cwd: staging }))
      rmSync(join(staging, path), { recursive: true, force: true });
    renameSync(staging, root);
  }
  const container = await buildah("from", "scratch");
  await buildah("add", "--quiet", container, root, "/");
  await buildah("commit", "--quiet", "--rm", container, BASE);
}

type ImageConfig = {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Volumes: Record<string, object>;
  StopSignal: string;
  Healthcheck: { Test: string[] };
};

export type Image = {
  config: ImageConfig;
  /** Where the files of the image are on this machine. */
  root: string;
  bytes: number;
  remove(): Promise<void>;
};

/** Builds the image of the Dockerfile as it is, from Debian's packages instead of an image of a registry. */
export async function buildImage(): Promise<Image> {
  mkdirSync(CACHE_DIR, { recursive: true, mode: 0o700 });
  await makeBase();
  const values = ["--build-arg", `BASE=${BASE}`, "--build-arg", `TARGETARCH=${ARCH}`];
  const secrets = existsSync(CERTIFICATES) ? ["--secret", `id=ca,src=${CERTIFICATES}`] : [];
  const options = ["--isolation", "chroot", "--format", "docker", "--layers", ...values, ...secrets];
  await buildah("build", ...options, "--tag", IMAGE, ".");
  const container = await buildah("from", IMAGE);
  const root = await buildah("mount", container);
  const { Docker } = JSON.parse(await buildah("inspect", "--type", "image", IMAGE)) as {
    Docker: { config: ImageConfig };
  };
  const { stdout } = await run("du", ["--summarize", "--bytes", root]);
  const remove = async () => void (await buildah("rm", container));
  return { config: Docker.config, root, bytes: Number.parseInt(stdout, 10), remove };
}

/** The profile of `deploy/seccomp.json` as the runtime of a container takes it. */
function seccompProfile(): object {
  const profile = JSON.parse(readFileSync("deploy/seccomp.json", "utf8"));
  return { ...profile, syscalls: profile.syscalls.map(({ comment: _, ...rule }: Record<string, unknown>) => rule) };
}

type RunOptions = { image: Image; data: string; env: Record<string, string>; command?: string[] };

/** A container as `docker run --read-only --cap-drop ALL` makes it, without /dev/shm, in the network of this machine. */
function bundleFor({ image, data, env, command }: RunOptions): object {
  const { config } = image;
  const [uid = 0, gid = 0] = config.User.split(":").map(Number);
  return {
    ociVersion: "1.0.2",
    root: { path: image.root, readonly: true },
    process: {
      user: { uid, gid },
      cwd: config.WorkingDir,
      args: [...config.Entrypoint, ...(command ?? config.Cmd)],
      env: [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      capabilities: {},
      noNewPrivileges: true,
    },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755", "size=64k"] },
      { destination: "/data", type: "bind", source: data, options: ["rbind", "rw"] },
    ],
    linux: {
      namespaces: ["pid", "mount", "ipc", "uts"].map((type) => ({ type })),
      seccomp: seccompProfile(),
    },
  };
}

export type Container = {
  output(): string;
  /** Sends a signal to its first process and waits for its end. @returns the exit code */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
};

/** Where runc keeps the state of containers. */
const RUNC = ["runc", "--root", join(CACHE_DIR, "containers")] as const;

/** Calls off the watcher of each container that may still exist, by its id. */
const existing = new Map<string, () => void>();

/** Runs runc and waits for it. */
async function runc(...args: string[]): Promise<void> {
  const [program, ...options] = RUNC;
  await run(program, [...options, ...args]);
}

/** Ends and deletes a container, also one that has ended or never started. */
async function deleteContainer(id: string): Promise<void> {
  await runc("delete", "--force", id);
  existing.get(id)?.();
  existing.delete(id);
}

/** Ends and deletes every container of this process. */
export async function deleteContainers(): Promise<void> {
  await Promise.all([...existing.keys()].map(deleteContainer));
}

let containers = 0;

/**
 * Starts a container of an image. Its data folder must belong to the user of the image. Its processes are no children of this one, so
 * {@link deleteContainers} has to end them, and a watcher does when this process is killed.
 */
export function startContainer(options: RunOptions): Container {
  const bundle = mkdtempSync(join(tmpdir(), "platen-bundle-"));
  writeFileSync(join(bundle, "config.json"), JSON.stringify(bundleFor(options)));
  const id = `platen-test-${process.pid}-${++containers}`;
  existing.set(id, afterThisProcess(`${RUNC.join(" ")} delete --force ${id}`));
  const child = spawnGroup([...RUNC, "run", "--bundle", bundle, id]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once("close", (code) => {
    rmSync(bundle, { recursive: true, force: true });
    resolve(code);
  });
  const stop = async (signal: NodeJS.Signals) => {
    await runc("kill", id, signal);
    return await ended;
  };
  return { output: () => output, stop, ended };
}

/** Waits until a container renders. @throws Error with its output when it ends or is not ready in time */
export async function untilReady(client: Client, container: Container): Promise<void> {
  let hasEnded = false;
  void container.ended.then(() => (hasEnded = true));
  const deadline = performance.now() + READY_TIMEOUT_MS;
  const isReady = () =>
    client.ask("GET", "/readyz").then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (hasEnded || performance.now() > deadline)
      throw new Error(`The container was not ready in time. Its output:\n${container.output()}`);
    await sleep(100);
  }
}
