import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Runs in its own mount namespace: `$DIR` is empty and read-only. The end of the command is no error here. */
const SCRIPT = `
mount -t tmpfs -o ro tmpfs "$DIR" || exit 70
"$NODE" scripts/migrate.ts 2>&1
"$NODE" -e 'import("#lib/fonts/fontconfig.ts").then((m) => m.prepareFontconfig(process.env.DIR)).catch((error) => console.log(error.code))'
"$NODE" -e 'import("#lib/db/embedded/unusable-data.ts").then((m) => console.log(m.explainDisk(process.env.DIR, new Error("Aborted()")).message))'
`;

test("a read-only data folder is told as such, with what to do, whichever folder is made in it first", () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-disk-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env = { ...process.env, DIR: dir, NODE: process.execPath, SERVICE_LOG_LEVEL: "silent", DATABASE_URL: "" };
  const output = execFileSync("unshare", ["--map-root-user", "--mount", "sh", "-c", SCRIPT], {
    env: { ...env, SERVICE_DATABASE_DIR: join(dir, "data/database") },
    encoding: "utf8",
  });
  expect(output.trim().split("\n")).toEqual([
    "The database was not migrated: The environment is not usable:",
    expect.stringMatching(
      /SERVICE_DATABASE_DIR: the folder of the embedded database cannot be used: EROFS: user \S+ cannot mkdir \S+\/data\. The file system is read-only\. Set SERVICE_DATA_DIR to a folder that can be written/,
    ),
    "EROFS",
    expect.stringMatching(/^The disk of the embedded database is read-only: \S+\. .*dmesg.*\.$/),
  ]);
});
