import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RENDER } from "#tests/e2e/answers.ts";
import { Client } from "#tests/e2e/client.ts";
import { freePort } from "#tests/free-port.ts";
import {
  buildImage,
  type Container,
  deleteContainers,
  IMAGE_USER,
  type Image,
  requirePrograms,
  startContainer,
  untilReady,
} from "./container.ts";

/** The largest image that is wanted. */
const MOST_BYTES = 900_000_000;

let dir: string;
let image: Image;
let container: Container;
let client: Client;
let env: Record<string, string>;

/** A volume: a folder of the user of the image. */
function volume(name: string): string {
  const path = join(dir, name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, IMAGE_USER, IMAGE_USER);
  return path;
}

beforeAll(async () => {
  requirePrograms();
  image = await buildImage();
  dir = mkdtempSync(join(tmpdir(), "platen-volumes-"));
  const port = await freePort();
  client = new Client(`http://127.0.0.1:${port}`);
  // With the sandbox "on", a browser without it does not start.
  env = { PORT: String(port), HOST: "127.0.0.1", SERVICE_CHROMIUM_SANDBOX: "on", SERVICE_DRAIN_DELAY_MS: "0" };
  container = startContainer({ image, data: volume("data"), env });
  await untilReady(client, container);
});

afterAll(async () => {
  await deleteContainers();
  await image?.remove();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

it("is small, runs as an ordinary user, and says how it is watched and stopped", () => {
  expect(image.bytes).toBeLessThan(MOST_BYTES);
  const { config } = image;
  expect(config.User).toBe(`${IMAGE_USER}:${IMAGE_USER}`);
  expect(Object.keys(config.Volumes)).toEqual(["/data"]);
  expect(config.StopSignal).toBe("SIGTERM");
  expect(config.Healthcheck.Test.join(" ")).toContain("/healthz");
  expect(config.Env).toContain("SERVICE_DRAIN_DELAY_MS=5000");
});

it("draws with Chromium's sandbox, from a read-only root, without capabilities and without /dev/shm", async () => {
  const answer = await client.ask("POST", RENDER, { body: { template: "social/quote" } });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/png"]);
  expect(Number(answer.headers["content-length"])).toBeGreaterThan(10_000);
  expect(container.output()).not.toMatch(/Building|Unpacking|SANDBOX/);
});

it("passes its health check", async () => {
  const [, ...command] = image.config.Healthcheck.Test;
  expect(await startContainer({ image, data: volume("health"), env, command }).ended).toBe(0);
});

it("has the commands of the service", async () => {
  const data = volume("commands");
  const command = ["node", "scripts/launch.mjs", "scripts/render.ts", "social/quote", "-o", "/data/quote.png"];
  const render = startContainer({ image, data, env, command });
  expect([await render.ended, render.output()]).toEqual([0, expect.not.stringContaining("Error")]);
  expect(readFileSync(join(data, "quote.png")).subarray(1, 4).toString()).toBe("PNG");
});

it("answers what it has accepted and ends with 0 at SIGTERM", async () => {
  // More than the browsers draw at once, so that some are still waiting. Equal ones would share a render.
  const templates = ["social/carousel", "dev/code", "food/menu", "sport/result", "data/wrapped", "place/listing"];
  const asked = templates.map((template) => client.ask("POST", RENDER, { body: { template } }));
  await expect.poll(async () => (await client.ask("GET", "/metrics")).text).toMatch(/^platen_renders_drawing [1-9]/m);
  expect(await container.stop("SIGTERM")).toBe(0);
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(templates.map(() => 200));
  expect(container.output()).toContain("Stopped.");
});
