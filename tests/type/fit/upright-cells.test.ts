import { afterAll, describe, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { fitTitle } from "./trial.ts";

afterAll(() => shutDown());

describe("upright cells of vertical Japanese text", () => {
  const css = 'h1 { height: 300px; writing-mode: vertical-rl; font: 400 40px/1.5 "Noto Sans", sans-serif; }';
  const cell = (text: string) => `<upright-cell[^>]*>${text}</upright-cell>`;

  test("are as long as a character, and stand whole between two lines", async () => {
    const { html, lines, to } = await fitTitle({ title: "数字は10、年は2026年", css });
    expect(to).toBe(40);
    expect(lines).toEqual(["数字は10、年は", "2026年"]);
    expect(html).toMatch(new RegExp(`${cell("10")}.*<br.*${["2", "0", "2", "6"].map(cell).join("")}`));
  });

  test("have no ellipsis and no line break inside", async () => {
    const title = "数字は10、".repeat(20);
    const { html, cut } = await fitTitle({ title, css, fit: { mode: "clamp", maxLines: 2 } });
    expect(cut?.shown).toBeLessThan(cut?.of ?? 0);
    expect(html).toContain("…");
    expect(html).not.toMatch(/<upright-cell[^>]*>(?!10<)/);
  });

  test.each(["手順1️⃣と#️⃣です", "Schritt 1️⃣ und #️⃣"])("hold a whole keycap: %s", async (title) => {
    const { html } = await fitTitle({ title, css });
    expect(html).toMatch(new RegExp(`${cell("1️⃣")}.*${cell("#️⃣")}`, "s"));
    expect(html.match(/<upright-cell/g)).toHaveLength(2);
  });

  test("keep Canadian syllabics apart, which fonts give no length in vertical lines", async () => {
    const { html } = await fitTitle({ title: "ᓄᓇᕗᑦ", css });
    expect(html).toMatch(new RegExp([..."ᓄᓇᕗᑦ"].map(cell).join("")));
  });

  /** A quotation mark that stands upright is as long as a letter of Chinese. */
  const onSide = (sign: string) => `<span style="text-orientation: sideways[^"]*">${sign}</span>`;

  test.each([
    ["A Room of One’s Own", ["’"]],
    ["“Night trains” and ‘the north’", ["“", "”", "‘", "’"]],
    ["小説One’s Ownを“読む”", ["’"]],
  ])("leave quotation marks and apostrophes on their side with Latin words: %s", async (title, signs) => {
    const { html } = await fitTitle({ title, css });
    expect(html).toMatch(new RegExp(signs.map(onSide).join(".*"), "s"));
    expect(html.match(/text-orientation/g)).toHaveLength(signs.length);
  });

  test("hold a letter with its marks", async () => {
    expect((await fitTitle({ title: "A̲と1̲月", css })).html).toMatch(new RegExp(`${cell("A̲")}.*${cell("1̲")}`, "s"));
  });

  test("are not made in horizontal text", async () => {
    expect((await fitTitle({ title: "数字は10" })).html).not.toContain("upright-cell");
  });
});
