import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { tightLimits } from "#scripts/start/process-limits.ts";

/** As Linux writes them. */
const limits = (
  files: string,
  processes: string,
  space: string,
) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             ${processes}                95783                processes
Max open files            ${files}                1048576              files
Max address space         ${space}            unlimited            bytes
`;

it("names each limit that a start cannot work with, and what to do", () => {
  expect(tightLimits(limits("64", "60", "4294967296"), false)).toEqual([
    expect.stringMatching(/^This process may open 64 files, .* ulimit -n/),
    expect.stringMatching(/^This user may have 60 processes and threads, .* ulimit -u/),
    expect.stringMatching(/^The address space of this process is limited to 4\.0 GB\. .*\(ulimit -v unlimited/),
  ]);
});

it.each([
  ["usual limits", limits("1024", "95783", "unlimited"), false],
  ["an address space that is large enough", limits("1024", "95783", String(2 ** 37)), false],
  ["a limit of processes of root, which Linux does not apply", limits("1024", "60", "unlimited"), true],
  ["a system without them", "", false],
])("says nothing of %s", (_name, text, isRoot) => {
  expect(tightLimits(text, isRoot)).toEqual([]);
});

it("reads the limits of this process", () => {
  const program =
    'import { tightLimits } from "#scripts/start/process-limits.ts"; console.log(tightLimits().join("\\n"))';
  const { stdout } = spawnSync(
    "sh",
    ["-c", 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    {
      encoding: "utf8",
    },
  );
  expect(stdout).toContain("may open 64 files");
});
