import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible, matrix, shot } from "./fixtures/looks.ts";
import { expect, imageFile, picture, pngOf, QUOTE, rendered, test } from "./fixtures/template-page.ts";

test.describe("an image", () => {
  let dir: string;
  test.beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "platen-picked-"));
  });
  test.afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  test("is rendered after it was chosen, and is not part of the link", async ({ page, open }) => {
    await page.goto(QUOTE);
    const file = await imageFile(dir);
    await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles(file);
    await expect(page.getByText("80 × 100, 1 kB")).toBeVisible();
    const portrait = `data:image/png;base64,${readFileSync(file, "base64")}`;
    await expect(page.getByText("The link does not contain the images you chose")).toBeVisible();
    expect(await pngOf(page)).toEqual(await rendered(open.origin, { template: "social/quote", data: { portrait } }));
    expect(page.url()).not.toContain("data");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Leave out" }).click();
    await expect(page).toHaveURL(/portrait/);
    const without = { template: "social/quote", data: { portrait: "" } };
    await expect.poll(async () => (await pngOf(page)).equals(await rendered(open.origin, without))).toBe(true);
  });

  test("can be pasted and dropped, and is refused with the reason if it has another type", async ({ page }) => {
    await page.goto(QUOTE);
    await picture(page);
    const content = readFileSync(await imageFile(dir)).toString("base64");
    const give = (kind: "paste" | "drop", type: string) =>
      page.evaluate(
        ([how, mediaType, base64]) => {
          const bytes = Uint8Array.from(atob(base64 as string), (char) => char.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], `${how}.png`, { type: mediaType as string }));
          const zone = document.querySelector("[data-image-zone]") as Element;
          if (how === "paste") {
            const event = new ClipboardEvent("paste", { bubbles: true });
            // Firefox leaves out the files that are given to the constructor.
            Object.defineProperty(event, "clipboardData", { value: transfer });
            document.body.dispatchEvent(event);
          } else zone.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        },
        [kind, type, content],
      );
    const zone = page.locator("[data-image-zone]");
    await give("paste", "image/png");
    await expect(zone.getByText("paste.png")).toBeVisible();
    await give("drop", "image/png");
    await expect(zone.getByText("drop.png")).toBeVisible();
    await give("drop", "image/svg+xml");
    await expect(page.getByText("Got image/svg+xml, want PNG, JPEG, WebP, GIF or AVIF.")).toBeVisible();
    await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles({
      name: "large.png",
      mimeType: "image/png",
      buffer: Buffer.alloc(9_000_000),
    });
    await expect(page.getByText("Got 9.0 MB, want at most 8.9 MB.")).toBeVisible();
  });

  test("that is dropped beside its field is not opened by the browser; text can be dropped", async ({ page }) => {
    await page.goto(QUOTE);
    await picture(page);
    /** Tells for a file and for a text whether the page keeps the browser from taking what is dropped there. */
    const isKept = (place: string) =>
      page.evaluate((selector) => {
        const file = new DataTransfer();
        file.items.add(new File(["x"], "photo.png", { type: "image/png" }));
        const text = new DataTransfer();
        text.items.add("words", "text/plain");
        return [file, text].map((dataTransfer) =>
          ["dragover", "drop"].map((kind) => {
            const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
            document.querySelector(selector)?.dispatchEvent(event);
            return event.defaultPrevented;
          }),
        );
      }, place);
    for (const place of ["h1", "textarea", "body"])
      expect(await isKept(place), place).toEqual([
        [true, true],
        [false, false],
      ]);
  });

  test("that was refused is reported at its input until the value changes", async ({ page }) => {
    await page.goto(QUOTE);
    const portrait = page.getByLabel("Portrait or emblem", { exact: true });
    await expect(portrait).toHaveAccessibleDescription("Upright, such as 4:5.");
    const fault = page.getByText("Got text/plain, want PNG");
    for (const way of ["Leave out Portrait or emblem", "Reset Portrait or emblem"]) {
      await portrait.setInputFiles(await imageFile(dir));
      await expect(page.getByText("80 × 100, 1 kB")).toBeVisible();
      await portrait.setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("no image") });
      await expect(fault).toBeVisible();
      await expect(portrait).toHaveAccessibleDescription(/^Upright.*Got text\/plain/);
      await page.getByRole("button", { name: way }).click();
      await expect(fault).toBeHidden();
      await expect(portrait).toBeFocused();
    }
  });

  test("is the last one chosen, even if an earlier one takes longer to read", async ({ page }) => {
    await page.goto(QUOTE);
    await page.evaluate(() => {
      const read = FileReader.prototype.readAsDataURL;
      FileReader.prototype.readAsDataURL = function (file) {
        if ((file as File).name !== "slow.png") return read.call(this, file);
        const finish = async () => {
          read.call(this, file);
          await new Promise((resolve) => this.addEventListener("loadend", resolve));
          const image = new Image();
          image.src = String(this.result);
          await image.decode();
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        };
        Object.assign(window, { finish });
      };
    });
    const buffer = readFileSync(await imageFile(dir));
    const portrait = page.getByLabel("Portrait or emblem", { exact: true });
    const zone = page.locator("[data-image-zone]");
    await portrait.setInputFiles({ name: "slow.png", mimeType: "image/png", buffer });
    await portrait.setInputFiles({ name: "fast.png", mimeType: "image/png", buffer });
    await expect(zone).toContainText("fast.png");
    await page.evaluate(() => (window as unknown as { finish: () => Promise<void> }).finish());
    await expect(zone).toContainText("fast.png");
  });

  test.describe("with a focus and a zoom", () => {
    const part = (page: Page) => page.getByRole("group", { name: "Focus and zoom of Portrait or emblem" });

    async function chooseWide(page: Page): Promise<string> {
      const buffer = await sharp({ create: { width: 400, height: 200, channels: 3, background: "#0a7" } })
        .composite([
          { input: { create: { width: 60, height: 200, channels: 3, background: "#e22" } }, left: 330, top: 0 },
        ])
        .png()
        .toBuffer();
      const file = { name: "wide.png", mimeType: "image/png", buffer };
      await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles(file);
      await page.locator("summary", { hasText: "Focus and zoom" }).click();
      return `data:image/png;base64,${buffer.toString("base64")}`;
    }

    test("is shown as the pointer, the keys and the sliders say", async ({ page, open }) => {
      await page.goto(QUOTE);
      const src = await chooseWide(page);
      const target = part(page).getByRole("button", { name: /^Focus of Portrait or emblem: 50 % from the left/ });
      await target.scrollIntoViewIfNeeded();
      const box = await target.boundingBox();
      if (!box) throw new Error("The image has no box.");
      expect(box.width / box.height).toBeCloseTo(2, 1);
      await page.mouse.click(box.x + box.width * 0.9, box.y + box.height / 2);
      const moved = part(page).getByRole("button", { name: /^Focus of Portrait or emblem: 90 % from the left, 50 %/ });
      await moved.focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Shift+ArrowUp");
      await expect(part(page).getByRole("slider", { name: "From the left" })).toHaveValue("0.91");
      await expect(part(page).getByRole("slider", { name: "From the top" })).toHaveValue("0.4");
      await part(page).getByRole("slider", { name: "Zoom" }).fill("1.5");
      const portrait = { src, focus: { x: 0.91, y: 0.4 }, zoom: 1.5 };
      const wanted = await rendered(open.origin, { template: "social/quote", data: { portrait } });
      await expect.poll(async () => (await pngOf(page)).equals(wanted)).toBe(true);
      await expectAccessible(page);
      await part(page).getByRole("button", { name: "Automatic focus and zoom of Portrait or emblem" }).click();
      await expect(part(page).getByRole("slider", { name: "From the left" })).toBeFocused();
      const plain = await rendered(open.origin, { template: "social/quote", data: { portrait: src } });
      await expect.poll(async () => (await pngOf(page)).equals(plain)).toBe(true);
    });

    test("has a control that fits every window and theme", async ({ page }) => {
      await page.goto(QUOTE);
      await chooseWide(page);
      await part(page).getByRole("slider", { name: "Zoom" }).fill("2");
      await matrix(page, async (look) => {
        await expect(part(page).getByRole("slider", { name: "From the left" })).toBeVisible();
        await expectAccessible(page, look);
        await shot(page, `image-crop-${look.name}`);
      });
    });
  });
});
