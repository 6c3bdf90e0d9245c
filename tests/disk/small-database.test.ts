import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";

const run = promisify(execFile);

/** Runs in its own mount namespace: the embedded database takes 60 MB, and its first folder has room for a third of that. */
const SCRIPT = `
report() { what=$1; shift; "$NODE" "$@" 2>&1 >"$DIR/nothing" | grep -a -v "ing the embedded database" | sed "s|^|$what: |"; }
fill() { dd if=/dev/zero of="$1/filler" bs=64k 2>/dev/null; test -s "$1/filler"; }
small="$DIR/small"; large="$DIR/large"; backups="$DIR/backups"; mkdir "$small" "$large" "$backups"
mount -t tmpfs -o size=20m tmpfs "$small" || exit 70
mount -t tmpfs -o size=150m tmpfs "$large" || exit 70
mount -t tmpfs -o size=1m tmpfs "$backups" || exit 70
SERVICE_DATABASE_DIR="$small" report create scripts/migrate.ts
export SERVICE_DATABASE_DIR="$large"
"$NODE" scripts/migrate.ts >/dev/null 2>&1 || exit 71
fill "$backups"
report backup scripts/database/main.ts backup "$backups/platen.backup"
ls "$backups"
fill "$large"
report list scripts/users.ts list
report backup scripts/database/main.ts backup "$DIR/platen.backup"
rm "$large/filler"
"$NODE" scripts/users.ts list
`;

/** Six commands, each of which opens a database, on a busy machine. */
vi.setConfig({ testTimeout: 600_000 });

test("a full disk of the embedded database or of a backup is named, and nothing is lost", async () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-disk-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env = { ...process.env, DIR: dir, NODE: process.execPath, SERVICE_LOG_LEVEL: "silent", DATABASE_URL: "" };
  const { stdout } = await run("unshare", ["--map-root-user", "--mount", "sh", "-c", SCRIPT], { env });
  const database = (name: string) => `The disk of the embedded database is full: ${join(dir, name)}. Make room.`;
  expect(stdout.trim().split("\n")).toEqual([
    `create: The database was not migrated: ${database("small")}`,
    expect.stringMatching(
      /^backup: ENOSPC: user \S+ cannot write \S+\/platen\.backup\.\S+\.unfinished\. The disk is full\. Make room\.$/,
    ),
    "filler",
    `list: ${database("large")}`,
    `backup: ${database("large")}`,
    "There are no users yet. Create the first administrator: npm run users -- create <email> --admin",
  ]);
});
