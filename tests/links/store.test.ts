import sharp from "sharp";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { configReport } from "#lib/config-report.ts";
import { storeConfig } from "#lib/link-config.ts";
import { PictureStore } from "#lib/render/store/picture-store.ts";
import {
  STORE_FAILURES,
  STORE_PAUSE_MS,
  STORED_PICTURE_BYTES,
  WAITING_WRITE_BYTES,
} from "#lib/render/store/store-limits.ts";
import { captureLog } from "../captured-log.ts";
import { CREDENTIALS, useObjectServer } from "./object-server.ts";

// Tests fail when the store does the wrong thing, not when the machine is slow.
vi.mock("#lib/render/store/store-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/render/store/store-limits.ts")>();
  return { ...limits, STORE_READ_MS: 30_000, STORE_WRITE_MS: 30_000 };
});

const server = useObjectServer();

const SIZE = { width: 40, height: 20 };
let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { ...SIZE, channels: 3, background: "red" } })
    .png()
    .toBuffer();
});

let now = 0;

/** A store with a clock of its own. */
function newStore(readMs?: number): PictureStore {
  const config = storeConfig();
  if (!config) throw new Error("No store is configured.");
  return new PictureStore(config, { now: () => now, ...(readMs !== undefined && { readMs }) });
}

const WARNING = { path: "/data/title", code: "text_cut", message: "Größer, 東京 👋" };

describe("a store of pictures", () => {
  it("gives back what was written, with its warnings, by any signed request", async () => {
    await newStore().write("plain", { png, warnings: [] });
    await newStore().write("warned", { png, warnings: [WARNING] });
    expect(await newStore().read("plain", SIZE)).toEqual({ png, warnings: [] });
    expect(await newStore().read("warned", SIZE)).toEqual({ png, warnings: [WARNING] });
    expect(server().requests).toContain("PUT /pictures/links/plain.png");
    vi.stubEnv("SERVICE_CACHE_S3_URL", server().url.replace("//", `//${CREDENTIALS.id}:${CREDENTIALS.secret}@`));
    vi.stubEnv("AWS_ACCESS_KEY_ID", "");
    expect(await newStore().read("plain", SIZE)).toEqual({ png, warnings: [] });
  });

  it("finds nothing for an unwritten key, with wrong credentials, or where the object is not a whole picture of that size", async () => {
    const store = newStore();
    expect(await store.read("absent", SIZE)).toBeUndefined();
    await store.write("cut", { png: png.subarray(0, -1), warnings: [] });
    await store.write("whole", { png, warnings: [] });
    expect(await store.read("cut", SIZE)).toBeUndefined();
    expect(await store.read("whole", { ...SIZE, width: 41 })).toBeUndefined();
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "another");
    expect(await newStore().read("whole", SIZE)).toBeUndefined();
  });

  it("follows no redirect, and reads no more than a picture may have", async () => {
    server().answerWith((response) => response.writeHead(302, { location: "/pictures/links/plain.png" }).end());
    expect(await newStore().read("redirected", SIZE)).toBeUndefined();
    expect(server().requests).toEqual(["GET /pictures/links/redirected.png"]);
    const sent = Promise.withResolvers<void>();
    server().answerWith((response) => {
      response.on("close", sent.resolve);
      const chunk = Buffer.alloc(1_000_000);
      const send = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", send);
      };
      send();
    });
    expect(await newStore().read("endless", SIZE)).toBeUndefined();
    await sent.promise;
  });

  it.each([
    ["null", "null"],
    ["a number", "5"],
    ["an object", '{"length":3}'],
    ["a list of nothing", "[null]"],
    ["a code that would be a new label of a metric", JSON.stringify([{ ...WARNING, code: "made_up" }])],
    ["no JSON", "[{"],
    ["more than is ever stored", JSON.stringify(Array(40).fill(WARNING))],
  ])("takes no picture whose warnings are %s", async (_name, warnings) => {
    server().answerWith((response) => {
      const headers = { "x-amz-meta-warnings": Buffer.from(warnings).toString("base64url") };
      response.writeHead(200, headers).end(png);
    });
    expect(await newStore().read("strange", SIZE)).toBeUndefined();
  });

  it("takes no damaged picture, and nothing that follows one", async () => {
    const middle = png.indexOf("IDAT") + 8;
    const damaged = Buffer.from(png).fill(0xff, middle, middle + 1);
    server().answerWith((response) => response.end(damaged));
    expect(await newStore().read("damaged", SIZE)).toBeUndefined();
    server().answerWith((response) => response.end(Buffer.concat([png, Buffer.from("<script>")])));
    expect(await newStore().read("followed", SIZE)).toEqual({ png, warnings: [] });
  });

  it("gives up on a server that is silent", async () => {
    server().answerWith(() => undefined);
    expect(await newStore(50).read("silent", SIZE)).toBeUndefined();
  });

  it("is left alone after failures in a row, and asked again by one request after a pause", async () => {
    const lines = captureLog();
    const store = newStore();
    server().answerWith((response) => response.writeHead(500).end());
    for (let count = 0; count < STORE_FAILURES + 3; count++) await store.read("failing", SIZE);
    expect(server().requests).toHaveLength(STORE_FAILURES);
    now += STORE_PAUSE_MS;
    await Promise.all(Array.from({ length: 5 }, () => store.read("failing", SIZE)));
    expect(server().requests).toHaveLength(STORE_FAILURES + 1);
    server().answerWith(undefined);
    now += STORE_PAUSE_MS;
    await store.write("again", { png, warnings: [] });
    expect(await store.read("again", SIZE)).toEqual({ png, warnings: [] });
    const messages = lines.map((line) => JSON.parse(line).msg);
    expect(messages).toEqual([expect.stringMatching(/left alone/), expect.stringMatching(/answers again/)]);
    expect(lines.join("")).not.toContain(CREDENTIALS.secret);
  });

  it("says why it cannot be reached, once", async () => {
    const lines = captureLog();
    server().answerWith((response) => response.destroy());
    const store = newStore();
    for (let count = 0; count < STORE_FAILURES; count++) await store.read("gone", SIZE);
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(["TypeError: fetch failed (other side closed)"]);
  });

  it.each(["GET", "PUT"])("is not sent every %s while these fail, although the others succeed", async (failing) => {
    const store = newStore();
    server().answerWith((response) => response.writeHead(response.req.method === failing ? 500 : 200).end());
    const rounds = STORE_FAILURES + 3;
    for (let count = 0; count < rounds; count++) {
      await store.read("absent", SIZE);
      await store.write("absent", { png, warnings: [] });
    }
    const isFailing = (request: string) => request.startsWith(failing);
    expect(server().requests.filter(isFailing)).toHaveLength(STORE_FAILURES);
    expect(server().requests.filter((request) => !isFailing(request))).toHaveLength(rounds);
  });

  it("writes neither what is too large nor more than may wait", async () => {
    const store = newStore();
    await store.write("large", { png: Buffer.alloc(STORED_PICTURE_BYTES + 1), warnings: [] });
    await store.write("talkative", { png, warnings: Array(50).fill(WARNING) });
    expect(server().requests).toEqual([]);
    server().answerWith((response) => response.writeHead(500).end());
    const part = Buffer.alloc(WAITING_WRITE_BYTES / 4);
    await Promise.all(Array.from({ length: 9 }, (_, index) => store.write(`${index}`, { png: part, warnings: [] })));
    expect(server().requests).toHaveLength(4);
  });
});

describe("SERVICE_CACHE_S3_URL", () => {
  it.each([
    "s3://Zq9",
    "Zq9",
    "https://store.example/Zq9?x=1",
    "https://:Zq9@store.example/bucket",
    "https://a:Zq9%@store.example/b",
  ])("%s is refused, and not repeated", (value) => {
    vi.stubEnv("SERVICE_CACHE_S3_URL", value);
    const [fault] = configReport().fatal;
    expect(fault?.variable).toBe("SERVICE_CACHE_S3_URL");
    expect(fault?.message).not.toContain("Zq9");
  });

  it("needs credentials, which nothing needs without it", () => {
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "");
    expect(configReport().fatal.map(({ variable }) => variable)).toEqual(["AWS_SECRET_ACCESS_KEY"]);
    vi.stubEnv("SERVICE_CACHE_S3_URL", "");
    expect([configReport().fatal, storeConfig()]).toEqual([[], undefined]);
  });
});
