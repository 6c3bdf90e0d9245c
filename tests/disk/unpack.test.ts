import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

/** In a mount namespace of its own: a file system in memory that holds a file of some size, and after the program what it left there. */
const SCRIPT = `
mount -t tmpfs -o "$OPTIONS" tmpfs "$DIR" || exit 70
head -c "$FILLED" /dev/zero > "$DIR/filler" || true
"$NODE" tests/disk/programs/unpack-repeatedly.ts "$DIR" "$TIMES" && ls "$DIR"
`;

test.each([
  ["of which nothing is free", { OPTIONS: "size=100m", FILLED: "100M", TIMES: "40" }],
  ["of which a little is free", { OPTIONS: "size=100m", FILLED: "97M", TIMES: "40" }],
  ["on which no more folder can be made", { OPTIONS: "size=420m,nr_inodes=3", FILLED: "1M", TIMES: "40" }],
  ["on which no more file can be made", { OPTIONS: "size=420m,nr_inodes=5", FILLED: "1M", TIMES: "2" }],
])(
  "a disk %s is said to be full, whichever of the files fails first, and nothing stays there",
  async (_, disk) => {
    const dir = mkdtempSync(join(tmpdir(), "platen-disk-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const env = { ...process.env, ...disk, DIR: dir, NODE: process.execPath };
    const { stdout, stderr } = await run("unshare", ["--map-root-user", "--mount", "sh", "-c", SCRIPT], { env });
    expect({ stdout, complaints: stderr.replace(/^head: .*\n/, "") }).toEqual({
      stdout: "ENOSPC\nfiller\n",
      complaints: "",
    });
  },
  60_000,
);
