import { totalmem } from "node:os";
import { expect, it, vi } from "vitest";
import { availableMemory } from "#lib/environment/memory.ts";

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
