import { expect, test } from "vitest";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { highlightCode } from "#lib/templates/drawings/highlight.ts";
import { codeDeclaration, codeField } from "#lib/templates/fields/code.ts";

const colour = (images: RenderImages) => imagesFor(images, () => highlightCode("echo $HOME", "bash"));

test("the code of a caller is coloured before most of another caller's, however much of it waits", async () => {
  const ended: string[] = [];
  const note = (caller: string) => colour(new RenderImages(caller)).then(() => ended.push(caller));
  await Promise.all(["many", "many", "many", "many", "few"].map(note));
  expect(ended.indexOf("few")).toBeLessThan(2);
  expect(ended).toHaveLength(5);
});

test("code that waits for the thread counts like an image that waits for its server, until it is coloured", async () => {
  const images = new RenderImages("caller");
  const before = performance.now();
  const coloured = colour(images);
  await expect.poll(() => performance.now()).toBeGreaterThan(before);
  expect(images.waitingMs).toBeGreaterThan(0);
  await coloured;
  expect(images.waitingMs).toBe(0);
});

test("a caller whose code is never coloured does not make another caller wait again", async () => {
  const line = `where a:${".enum ".repeat(46)}typename`;
  const endless = () => imagesFor(new RenderImages("slow"), () => highlightCode(line, "csharp"));
  await expect(endless()).rejects.toThrow("too long");
  await colour(new RenderImages("quick"));
  const ended: string[] = [];
  const again = [endless(), endless()].map((one) => one.catch(() => ended.push("slow")));
  await colour(new RenderImages("quick")).then(() => ended.push("quick"));
  await Promise.all(again);
  expect(ended).toEqual(["quick", "slow", "slow"]);
});

test("code whose colours are never found is refused, and later code is coloured", async () => {
  const snippet = codeDeclaration.parse({ type: "code", label: "Code", language: "csharp" });
  const line = `where a:${".enum ".repeat(46)}typename`;
  const read = (text: string) => imagesFor(new RenderImages("caller"), () => codeField.read(text, snippet, {}));
  const message =
    'Got code whose colours take too long to find, want other lines, or the language "text", which has none.';
  expect(await read(line)).toEqual({ fault: { code: "invalid_code", message, at: [] } });
  expect(await read("int x = 1;")).toMatchObject({ value: { text: "int x = 1;" } });
});
