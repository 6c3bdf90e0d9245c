import { readdirSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { verify } from "#scripts/database/commands.ts";
import { addEvents } from "../../access/audit-rows.ts";
import { expectOneOfThree, options, testFolder, useBackups } from "./backups.ts";

/** A file system such as FAT, which has no links. */
vi.mock("node:fs/promises", async (importOriginal) => ({
  ...(await importOriginal<typeof import("node:fs/promises")>()),
  link: () => Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" })),
}));

useBackups();

it("replaces no backup of the same name on a file system without links either", async () => {
  await addEvents({ count: 2_000, age: "1 hour" });
  await expectOneOfThree();
  expect(await verify(options())).toContain("audit_events: 2,000");
  expect(readdirSync(testFolder()).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
});
