import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

/** Runs in its own mount namespace: fills a file system in memory with a file, unpacks Chromium onto it, and lists what is left. */
const SCRIPT = `
mount -t tmpfs -o "$OPTIONS" tmpfs "$DIR" || exit 70
head -c "$FILLED" /dev/zero > "$DIR/filler" || true
"$NODE" tests/disk/programs/unpack-repeatedly.ts "$DIR" "$TIMES" && ls "$DIR"
`;

test.each([
  ["without free space", { OPTIONS: "size=100m", FILLED: "100M", TIMES: "40" }],
  ["with little free space", { OPTIONS: "size=100m", FILLED: "97M", TIMES: "40" }],
  ["without room for a folder", { OPTIONS: "size=420m,nr_inodes=3", FILLED: "1M", TIMES: "40" }],
  ["without room for a file", { OPTIONS: "size=420m,nr_inodes=5", FILLED: "1M", TIMES: "2" }],
])(
  "unpacking to a disk %s fails with ENOSPC, whichever file fails first, and leaves nothing",
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
