import { execFile } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RENDER } from "#tests/e2e/answers.ts";
import { Client } from "#tests/e2e/client.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { dataUrl, picture } from "#tests/images/files.ts";

const run = promisify(execFile);

const ADMIN = { email: "grace@example.com", password: "a bug in the relay, pinned" };

/** As root, the folder is used by another user, who cannot write into it. */
const user = process.getuid?.() === 0 ? { uid: 1001, gid: 1001 } : {};

let dir: string;
let folder: string;
let data: string;
let env: Record<string, string>;
let service: Service;

beforeAll(async () => {
  // Not below the home folder of root, which other users cannot enter.
  dir = mkdtempSync(join(tmpdir(), "platen-standalone-"));
  await run("chmod", ["755", dir]);
  folder = join(dir, "a folder");
  data = join(dir, "data");
  await run("npm", ["run", "build", "--", "--standalone", "--out", folder]);
  mkdirSync(data, { mode: 0o700 });
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  env = { HOME: data, SERVICE_DATA_DIR: data, SERVICE_DATABASE_DIR: "", SERVICE_AUTH_ENABLED: "true" };
  Object.assign(env, { SERVICE_ADMIN_EMAIL: ADMIN.email, SERVICE_ADMIN_PASSWORD: ADMIN.password });
  service = await startService(env, folder, user);
});

afterAll(async () => {
  await service?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a command of the folder's package.json as the user of the service. */
function command(...args: string[]) {
  return run("npm", ["run", "--silent", ...args], { ...user, cwd: folder, env: { ...process.env, ...env } });
}

describe("a standalone folder", () => {
  it("starts from a read-only folder of another user, builds nothing and unpacks nothing", () => {
    expect(service.output()).not.toMatch(/Building|Unpacking|Copying/);
    expect(existsSync(join(folder, "node_modules/vitest"))).toBe(false);
  });

  it("draws every template for a token of its embedded database", async () => {
    const client = new Client(service.origin);
    const { cookie } = await client.logIn(ADMIN.email, ADMIN.password);
    const created = await client.ask("POST", "/api/service/tokens", { body: { name: "every template" }, cookie });
    const authorization = `Bearer ${(created.json() as { token: string }).token}`;
    const templates = await client.ask("GET", "/api/service/templates", { cookie });
    const slugs = (templates.json() as { slug: string }[]).map(({ slug }) => slug);
    expect(slugs.length).toBeGreaterThan(20);
    const cover = dataUrl("jpeg", await picture(640, 480).jpeg().toBuffer());
    const photo = { template: "blog/article", data: { title: "A photo", cover } };
    for (const body of [photo, ...slugs.map((template) => ({ template }))]) {
      const { template } = body;
      const answer = await client.ask("POST", RENDER, { body, headers: { authorization } });
      expect([template, answer.status, answer.headers["content-type"]]).toEqual([template, 200, "image/png"]);
      expect(Number(answer.headers["content-length"])).toBeGreaterThan(1_000);
    }
  });

  it("serves pages, the files that they name, public files and the documentation", async () => {
    const client = new Client(service.origin);
    const { cookie } = await client.logIn(ADMIN.email, ADMIN.password);
    const page = await client.ask("GET", "/login");
    const [script = ""] = /\/_next\/static\/[^"]+\.js/.exec(page.text) ?? [];
    for (const path of [script, "/icon.svg", "/docs/templates", "/docs.md", "/llms.txt"])
      expect([path, (await client.ask("GET", path, { cookie })).status]).toEqual([path, 200]);
    expect((await client.ask("GET", "/no/such/page", { cookie })).status).toBe(404);
  });

  it("has the commands for users, migrations, pictures and templates", async () => {
    expect((await command("users", "--", "list")).stdout).toContain(ADMIN.email);
    const picture = join(data, "quote.png");
    await command("render", "--", "social/quote", "-o", picture);
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe("PNG");
    expect((await command("templates", "--", "new", "--help")).stdout).toContain("npm run templates -- new <slug>");
    await expect(command("migrate")).resolves.toBeDefined();
  });

  it("says that it is incomplete instead of building", async () => {
    const missing = join(folder, ".next");
    renameSync(missing, `${missing}.away`);
    const start = startService({ ...env, SERVICE_DATA_DIR: join(data, "other") }, folder, user);
    await expect(start)
      .rejects.toThrow("This standalone folder is incomplete")
      .finally(() => {
        renameSync(`${missing}.away`, missing);
      });
  });

  it("names a file of which a copy was cut short", async () => {
    const file = join(folder, ".platen", "templates.json");
    const content = readFileSync(file);
    truncateSync(file, 10);
    const start = startService({ ...env, SERVICE_DATA_DIR: join(data, "other") }, folder, user);
    await expect(start)
      .rejects.toThrow(
        /"damagedFiles":1,"firstFiles":\[".platen\/templates.json"\].*This standalone folder is incomplete/,
      )
      .finally(() => writeFileSync(file, content));
  });

  it("is not written over other files", async () => {
    const other = join(dir, "other");
    mkdirSync(other);
    writeFileSync(join(other, "thesis.txt"), "");
    const told = { env: { ...process.env, SERVICE_LOG_LEVEL: "info" } };
    const written = run("npm", ["run", "build", "--", "--standalone", "--out", other], told);
    await expect(written).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining("which holds other files"),
    });
    expect(existsSync(join(other, "thesis.txt"))).toBe(true);
  });
});
