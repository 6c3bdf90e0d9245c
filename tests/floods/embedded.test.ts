import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { expectOthersServed } from "./login-flood.ts";

it("250 connections with logins fail no request of others, on the embedded database", async () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-flood-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await expectOthersServed({ DATABASE_URL: "", SERVICE_DATABASE_DIR: join(dir, "database") });
});
