import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createOwnDatabase } from "#tests/database-server.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { freePort } from "#tests/free-port.ts";
import { LONG_LIMITS } from "../db/program.ts";

const MIGRATED = "The tables and indexes of the database have this version.\n";

/** Runs the command as `npm run migrate` does, without the second that npm takes. */
async function migrate(environment: Record<string, string>) {
  const env: NodeJS.ProcessEnv = { ...process.env, SERVICE_LOG_LEVEL: "info", DATABASE_URL: "", ...environment };
  const args = ["--import", "./scripts/launch/guard.mjs", "--import", LONG_LIMITS, "scripts/migrate.ts"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const [output, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, output, complaints };
}

it("npm run migrate gives an empty database its tables, and leaves a migrated one as it is", async () => {
  const { env, remove } = await createOwnDatabase();
  onTestFinished(remove);
  const first = await migrate(env);
  expect(first).toMatchObject({ code: 0, output: MIGRATED });
  expect(first.complaints.match(/The database was migrated to this version\./g)).toHaveLength(1);
  expect(await migrate(env)).toEqual({ code: 0, output: MIGRATED, complaints: "" });
});

it("npm run migrate opens the embedded database when no server does, and closes it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-migrate-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env = { SERVICE_DATABASE_DIR: await copyEmptyDatabase(join(dir, "database")) };
  const runs = [await migrate(env), await migrate(env)];
  expect(runs).toMatchObject([
    { code: 0, output: MIGRATED, complaints: expect.stringContaining("was migrated") },
    { code: 0, output: MIGRATED, complaints: expect.not.stringContaining("was migrated") },
  ]);
});

it("npm run migrate ends with 1 and one line when the database cannot be reached", async () => {
  const { code, output, complaints } = await migrate({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/gone` });
  expect({ code, output }).toEqual({ code: 1, output: "" });
  expect(complaints).toBe(
    "The database was not migrated: it cannot be reached: nothing listens there (ECONNREFUSED). Check DATABASE_URL, and that the database runs and can be reached from here.\n",
  );
});
