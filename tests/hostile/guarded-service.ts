import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { Client } from "#tests/e2e/client.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

export const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

/** A service with the access layer on, and a session of its administrator. Both are there once the tests begin. */
export type Guarded = { client: Client; cookie: string };

/** Starts the service before the tests of a file or a group, and ends it after them. */
export function useGuardedService(): Guarded {
  const guarded: Partial<Guarded> = {};
  let dir: string | undefined;
  let service: Service | undefined;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "platen-hostile-"));
    service = await startService({
      SERVICE_AUTH_ENABLED: "true",
      DATABASE_URL: "",
      SERVICE_DATABASE_DIR: await copyEmptyDatabase(join(dir, "database")),
      SERVICE_ADMIN_EMAIL: ADMIN.email,
      SERVICE_ADMIN_PASSWORD: ADMIN.password,
    });
    const client = new Client(service.origin);
    Object.assign(guarded, { client, cookie: (await client.logIn(ADMIN.email, ADMIN.password)).cookie });
  });
  afterAll(async () => {
    if (service?.npm.exitCode === null) await service.stop();
    if (dir) rmSync(dir, { recursive: true, force: true });
  });
  return guarded as Guarded;
}
