import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { explainStartFault } from "#scripts/start/start-faults.ts";
import { asOrdinaryUser } from "../db/ordinary-user.ts";

const fault = (code: string, syscall: string, path: string) => Object.assign(new Error(code), { code, syscall, path });
const explain = (error: unknown) =>
  explainStartFault(error, { port: 3000, host: undefined, hosts: [], drainDelayMs: 0 });

it.each([
  [
    fault("EMFILE", "open", "/platen/lib/a.ts"),
    "cannot open /platen/lib/a.ts. This process may not open more files. Raise",
  ],
  [
    fault("EAGAIN", "spawn /platen/chromium", "/platen/chromium"),
    "cannot spawn /platen/chromium. This user may not start",
  ],
  [
    fault("ENOENT", "mkdtemp", "/gone/platen-XXXXXX"),
    "cannot mkdtemp /gone/platen-XXXXXX. The temporary folder does not exist. Make it, or set TMPDIR",
  ],
  [fault("ENOMEM", "read", "/platen/a"), "cannot read /platen/a. No memory is left. Give"],
])("a start that the machine ends says what to change, in one line (%s)", (error, text) => {
  expect(explain(new Error("outer", { cause: error }))).toMatch(/^Cannot start: E\w+: user \S+ cannot .*\.$/);
  expect(explain(error)).toContain(text);
});

it("a start without address space for the embedded database says so in one line", () => {
  const error = new RangeError("WebAssembly.Memory(): could not allocate memory");
  expect(explain(error)).toMatch(/^Cannot start: too little memory or address space .*\(ulimit -v unlimited, .*\)\.$/);
});

it("a folder that a broken link stands for is explained by the link, however the folder is made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "platen-broken-link-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = join(folder, "data");
  symlinkSync("/not/mounted", link);
  for (const path of [link, join(link, "database")])
    for (const make of [
      () => mkdir(path, { recursive: true }),
      async () => mkdirSync(path, { recursive: true }),
      async () => mkdirSync(path),
    ]) {
      const error = await make().catch((reason: unknown) => reason);
      expect(explain(error)).toContain(`. ${link} is a link to /not/mounted, which is not there. Make or mount`);
    }
});

it("a link into a folder that is closed to this user is not called broken", () => {
  const folder = mkdtempSync(join(tmpdir(), "platen-closed-link-"));
  const closed = join(folder, "closed");
  mkdirSync(join(closed, "data"), { recursive: true });
  symlinkSync("closed/data", join(folder, "link"));
  chmodSync(folder, 0o755);
  chmodSync(closed, 0);
  onTestFinished(() => {
    chmodSync(closed, 0o700);
    rmSync(folder, { recursive: true });
  });
  const error = fault("EACCES", "mkdir", join(folder, "link/database"));
  expect(asOrdinaryUser(() => explain(error))).toContain("This user may not do that");
});
