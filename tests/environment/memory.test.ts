import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { availableMemory, readContainerStat } from "#lib/environment/memory.ts";

const V2 = "anon 700000000\nfile 1300000000\nshmem 100000000\ninactive_file 900000000\nactive_file 300000000\n";
const V1 = `cache 1000\ninactive_file 1000\nactive_file 1000\ntotal_inactive_file 900000000\ntotal_active_file 300000000\n`;

function limitTo(limit: number, available: number): void {
  vi.spyOn(process, "constrainedMemory").mockReturnValue(limit);
  vi.spyOn(process, "availableMemory").mockReturnValue(available);
}

it.each([V2, V1])("files that Linux keeps in the memory of a container count as available", (stat) => {
  limitTo(2_000_000_000, 50_000_000);
  expect(availableMemory(stat)).toBe(1_250_000_000);
});

it("a container without statistics has what Node says", () => {
  limitTo(2_000_000_000, 50_000_000);
  expect(availableMemory("")).toBe(50_000_000);
});

it("no more is available than the container may have", () => {
  limitTo(1_000_000_000, 50_000_000);
  expect(availableMemory(V2)).toBe(1_000_000_000);
});

it("files are not counted twice without a limit", () => {
  limitTo(2 ** 64, totalmem() / 2);
  expect(availableMemory(V2)).toBe(totalmem() / 2);
});

const V1_GROUPS = "12:pids:/app\n8:cpu,memory:/app\n0::/\n";

it.each([
  ["of cgroup v2", "0::/app.slice\n", "sys/fs/cgroup/app.slice/memory.stat"],
  ["of cgroup v1", V1_GROUPS, "sys/fs/cgroup/memory/app/memory.stat"],
  ["of cgroup v2 in a container, whose path is that of the machine", "0::/docker/1234\n", "sys/fs/cgroup/memory.stat"],
  ["of cgroup v1 in a container, whose path is that of the machine", V1_GROUPS, "sys/fs/cgroup/memory/memory.stat"],
])("the statistics %s are found", (_what, groups, path) => {
  const root = mkdtempSync(join(tmpdir(), "platen-cgroup-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  write("proc/self/cgroup", groups);
  write(path, "active_file 1\n");
  expect(readContainerStat(root)).toBe("active_file 1\n");
});

it("a machine without containers has no statistics", () => {
  expect(readContainerStat(join(tmpdir(), "platen-no-such-folder"))).toBe("");
});
