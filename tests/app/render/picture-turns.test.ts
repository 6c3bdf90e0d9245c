import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { DiskStore } from "#lib/render/disk-store.ts";
import { displayPictures } from "#lib/render/display-pictures.ts";
import { useThumbnails } from "./thumbnails.ts";

useThumbnails();

it.each([
  ["another picture", "one-0"],
  ["a picture that the first client waits for, too", "many-5"],
])(
  "pictures of pages are drawn for clients in turns, so that one that asks for many does not keep another's waiting: %s",
  async (_, wanted) => {
    const looks = vi.spyOn(DiskStore.prototype, "read");
    onTestFinished(() => looks.mockRestore());
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (caller: string, key: string) =>
      displayPictures.get().get({
        key,
        caller,
        signal: new AbortController().signal,
        render: async () => {
          begun.push(key);
          await new Promise<void>((resolve) => ends.push(resolve));
          return Buffer.from(key);
        },
      });
    const names = ["0", "1", "2", "3", "4", "5"].map((name) => `many-${name}`);
    const many = names.map((name) => ask("many", name));
    // Whichever are read from the disk first.
    await expect.poll(() => begun).toHaveLength(2);
    const one = ask("one", wanted);
    // Each waits for its turn once it was not found on the disk.
    await expect.poll(() => looks.mock.results).toHaveLength(7);
    await Promise.all(looks.mock.results.map(({ value }) => value));
    await setImmediate();
    ends.shift()?.();
    await expect.poll(() => begun.slice(2)).toEqual([wanted]);
    let isDone = false;
    const pictures = Promise.all([...many, one]).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      ends.shift()?.();
      await setImmediate();
    }
    expect((await pictures).map(String)).toEqual([...names, wanted]);
    // None is drawn twice.
    expect(begun.toSorted()).toEqual([...new Set([...names, wanted])].toSorted());
  },
);
