import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { DiskStore } from "#lib/render/disk-store.ts";
import { displayPictures } from "#lib/render/display-pictures.ts";
import { useThumbnails } from "./thumbnails.ts";

useThumbnails();

it("pictures of pages are drawn for clients in turns, so that one that asks for many does not keep another's waiting", async () => {
  const looks = vi.spyOn(DiskStore.prototype, "read");
  onTestFinished(() => looks.mockRestore());
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string, name: string) =>
    displayPictures.get().get({
      key: `${caller}-${name}`,
      caller,
      signal: new AbortController().signal,
      render: async () => {
        begun.push(`${caller}-${name}`);
        await new Promise<void>((resolve) => ends.push(resolve));
        return Buffer.from(name);
      },
    });
  const many = ["0", "1", "2", "3", "4", "5"].map((name) => ask("many", name));
  // Whichever are read from the disk first.
  await expect.poll(() => begun).toHaveLength(2);
  const one = ask("one", "0");
  // Each waits for its turn once it was not found on the disk.
  await expect.poll(() => looks.mock.results).toHaveLength(7);
  await Promise.all(looks.mock.results.map(({ value }) => value));
  await setImmediate();
  ends.shift()?.();
  await expect.poll(() => begun.slice(2)).toEqual(["one-0"]);
  while (begun.length < 7 || ends.length > 0) {
    ends.shift()?.();
    await setImmediate();
  }
  expect((await Promise.all([...many, one])).map(String)).toEqual(["0", "1", "2", "3", "4", "5", "0"]);
});
