import { expect, test } from "vitest";
import { type SmallDisk, startOnSmallDisk } from "./small-disk.ts";

/** Unpacked Chromium takes 203 MB, and a browser needs 32 MB more. */
const SIZE = "420m";

const FILL = 'dd if=/dev/zero of="$SERVICE_DATA_DIR/filler" bs=1M 2>/dev/null; test -s "$SERVICE_DATA_DIR/filler"';
const FREE = 'rm "$SERVICE_DATA_DIR/filler"';

async function render({ origin }: SmallDisk) {
  const response = await fetch(`${origin}/api/service/images/render`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ template: "social/quote", data: { quote: `Number ${Math.random()}` } }),
  });
  if (response.ok) return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  return {
    status: response.status,
    ...((await response.json()) as { error: { code: string; message: string } }).error,
  };
}

const readiness = async ({ origin }: SmallDisk) => (await fetch(`${origin}/readyz`)).status;

const RENDERED = { status: 200, bytes: expect.any(Number) };
const REFUSED = { status: 503, code: "unavailable", message: expect.stringContaining("disk") };

test("a disk that fills up while the service runs is a 503 that says so, until there is room again", async () => {
  const disk = await startOnSmallDisk({ size: SIZE });
  await expect.poll(() => render(disk)).toEqual(RENDERED);
  await disk.run(FILL);
  expect(await render(disk)).toMatchObject(REFUSED);
  expect(await readiness(disk)).toBe(503);
  await disk.run(FREE);
  await expect.poll(() => render(disk)).toEqual(RENDERED);
  await expect.poll(() => readiness(disk)).toBe(200);
  expect(await disk.stop()).toBe(0);
});

test("with as much room as a function on Vercel leaves beside its files, one browser draws every template", async () => {
  // Its 512 MB also hold 198 MB of fonts, and its browser shares memory there.
  const before = "mount -t tmpfs -o size=1m tmpfs /dev/shm; export SERVICE_RENDER_WORKERS=1";
  const disk = await startOnSmallDisk({ size: "320m", before });
  const templates = (await (await fetch(`${disk.origin}/api/service/templates`)).json()) as { slug: string }[];
  const answers = [];
  for (const { slug } of templates) {
    const body = JSON.stringify({ template: slug });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${disk.origin}/api/service/images/render`, { method: "POST", headers, body });
    answers.push([slug, response.status, response.ok ? "" : await response.text()]);
  }
  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
  expect(await disk.stop()).toBe(0);
});

test("with a full disk the service starts, and renders once there is room", async () => {
  const disk = await startOnSmallDisk({ size: SIZE, before: FILL });
  expect(await render(disk)).toMatchObject(REFUSED);
  await disk.run(FREE);
  await expect.poll(() => render(disk)).toEqual(RENDERED);
  expect(await disk.stop()).toBe(0);
});

test("a read-only data folder is a 503 that says so, until it can be written", async () => {
  const disk = await startOnSmallDisk({ size: SIZE, before: 'mount -o remount,ro "$SERVICE_DATA_DIR"' });
  const message = expect.stringContaining("read-only");
  expect(await render(disk)).toMatchObject({ status: 503, code: "unavailable", message });
  expect(await readiness(disk)).toBe(503);
  await disk.run('mount -o remount,rw "$SERVICE_DATA_DIR"');
  await expect.poll(() => render(disk)).toEqual(RENDERED);
  expect(await disk.stop()).toBe(0);
});
