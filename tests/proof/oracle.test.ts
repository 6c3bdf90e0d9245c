import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { prove } from "./prove.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

const AT = "position:absolute;left:60px;top:80px;width:400px";

describe("the oracle finds a fault in a page that has it, and none in the mended page", () => {
  it("ink that touches the edge of the picture", async () => {
    const body = '<p data-fit="title">Harbour</p>';
    expect(await prove({ css: "p{position:absolute;left:-8px;top:80px}", body })).toEqual(["outside-canvas"]);
    expect(await prove({ css: "p{position:absolute;left:8px;top:80px}", body })).toEqual([]);
  });

  it("an accent above the picture", async () => {
    const body = '<p data-fit="title">Ọ̀nà Ậm Ế</p>';
    const css = (top: number) => `p{position:absolute;left:60px;top:${top}px;font-size:60px;line-height:.8}`;
    expect(await prove({ css: css(-4), body })).toEqual(["outside-canvas"]);
    expect(await prove({ css: css(80), body })).toEqual([]);
  });

  it("ink that an element cuts off", async () => {
    const body = '<div><p data-fit="release">Kostenlos</p></div>';
    const css = (width: number) =>
      `div{${AT};width:${width}px;overflow:hidden}p{font-size:48px;white-space:nowrap;width:max-content}`;
    expect(await prove({ css: css(160), body })).toEqual(["clipped"]);
    expect(await prove({ css: css(320), body })).toEqual([]);
  });

  it("a word that is wider than its box", async () => {
    const body = '<p data-fit="title">Straßenverkehrsordnung</p>';
    expect(await prove({ css: `p{${AT};width:160px}`, body })).toEqual(["outside-box"]);
    expect(await prove({ css: `p{${AT}}`, body })).toEqual([]);
  });

  it("a text that leaves the panel behind it", async () => {
    const body = '<div><p data-fit="title">Two lines of text in a panel</p></div>';
    const css = (height: number) => `div{${AT};width:240px;height:${height}px;background:#ffd}`;
    expect(await prove({ css: css(36), body })).toEqual(["outside-box"]);
    expect(await prove({ css: css(80), body })).toEqual([]);
  });

  it("two texts that meet", async () => {
    const body = '<p class="a" data-fit="title">Gypsy jazz</p><p class="b" data-fit="author">Hélène</p>';
    const css = (top: number) => `p{${AT};font-size:48px;line-height:1}.b{top:${top}px}`;
    expect(await prove({ css: css(112), body })).toEqual(["overlap"]);
    expect(await prove({ css: css(150), body })).toEqual([]);
  });

  it("lines of one text that meet", async () => {
    const body = '<p data-fit="quote">ဤမြို့ကလေးတွင် နံနက်စောစော ထ၍ မြူများကို ကြည့်ကာ</p>';
    expect(await prove({ css: `p{${AT};font-size:40px;line-height:.8}`, body })).toContain("lines-overlap");
    expect(await prove({ css: `p{${AT};font-size:40px;line-height:2}`, body })).toEqual([]);
  });

  it("a text that shows only an ellipsis", async () => {
    const page = (shown: string) => ({
      body: `<p style="${AT}" dir="auto" data-fit="title">${shown}</p>`,
      texts: { title: "ליל ירח" },
    });
    expect(await prove(page("…"))).toEqual(["empty"]);
    expect(await prove(page("ליל…"))).toEqual([]);
  });

  it("a text without ink", async () => {
    const page = (size: number) => ({
      body: `<p style="${AT};font-size:${size}px" data-fit="title">Moon</p>`,
      texts: { title: "Moon" },
    });
    expect(await prove(page(0))).toEqual(["empty"]);
    expect(await prove(page(24))).toEqual([]);
  });

  it("white on a translucent ground", async () => {
    const body = '<div><p data-fit="title">Pale words</p></div>';
    const css = (color: string) => `div{${AT};padding:20px;background:#06507f20;color:${color}}`;
    expect(await prove({ css: css("#fff"), body })).toEqual(["contrast"]);
    expect(await prove({ css: css("#123"), body })).toEqual([]);
  });

  it("dark text on the dark part of a gradient", async () => {
    const body = '<p data-fit="title">Half of it is lost here</p>';
    const css = (to: string) => `p{${AT};width:300px;background:linear-gradient(90deg,#fff,${to})}`;
    expect(await prove({ css: css("#000"), body })).toEqual(["contrast"]);
    expect(await prove({ css: css("#bbb"), body })).toEqual([]);
  });

  it("large letters that are cut out of a picture like the paper, without an outline", async () => {
    const body = '<p data-fit="figure">27</p>';
    const css = (rest: string) => `p{${AT};font:800 240px/1 "Archivo";${rest}}`;
    const rim = "filter:drop-shadow(2px 2px #321) drop-shadow(-2px -2px #321)";
    expect(await prove({ css: css("mix-blend-mode:multiply;color:#eee"), body })).toEqual(["contrast"]);
    expect(await prove({ css: css(`mix-blend-mode:multiply;color:#eee;${rim}`), body })).toEqual([]);
    const stripes = "background:repeating-linear-gradient(45deg,#0f9bd0 0 20px,#fff 20px 24px);background-clip:text";
    expect(await prove({ css: css(`${stripes};color:transparent`), body })).toEqual([]);
  });

  it("a number that is divided between two lines", async () => {
    const body = "<div><p>£1,199,868,001.20</p></div>";
    const css = (width: number) => `div{${AT};width:${width}px}p{margin:0;font-size:40px;overflow-wrap:anywhere}`;
    expect(await prove({ css: css(180), body })).toEqual(["divided-number"]);
    expect(await prove({ css: css(380), body })).toEqual([]);
    expect(await prove({ css: css(180), body: "<div><p>1,200 to 1,250</p></div>" })).toEqual([]);
    expect(await prove({ css: css(380), body: "<div><p>2026-0042<br><b>25 May</b></p></div>" })).toEqual([]);
  });

  it("a word in two faces", async () => {
    const body = '<p data-fit="title">Những ngày cũ kỹ đợi</p>';
    expect(await prove({ css: `p{${AT};font-family:"Anton","Instrument Serif","Noto Sans"}`, body })).toEqual([]);
    expect(await prove({ css: `p{${AT};font-family:"Instrument Serif","Noto Serif"}`, body })).toEqual(["two-faces"]);
  });

  it("Chinese forms in a Japanese text", async () => {
    const page = (language: string) => ({
      body: `<p style="${AT}" data-fit="title" lang="${language}">東京都直角</p>`,
      region: "ja" as const,
    });
    expect(await prove(page("zh-Hant"))).toEqual(["han-form"]);
    expect(await prove(page("ja"))).toEqual([]);
  });

  it("Chinese forms of Japanese words that stay beside a Chinese text", async () => {
    const page = (language: string) => ({
      body: `<p style="${AT}" data-fit="title" lang="${language}">直角から</p>`,
      region: "zh-Hans" as const,
    });
    expect(await prove(page("zh-Hans"))).toEqual(["han-form"]);
    expect(await prove(page("ja"))).toEqual([]);
  });

  it("a character without a glyph", async () => {
    expect(await prove({ body: `<p style="${AT}" data-fit="title">Sumer 𒀀</p>` })).toEqual(["missing-glyph"]);
    expect(await prove({ body: `<p style="${AT}" data-fit="title">Sumer ✔</p>` })).toEqual([]);
  });

  it("a single word on the last line", async () => {
    const css = `p{${AT};width:230px;font-size:32px}`;
    expect(await prove({ css, body: '<p data-fit="quote">one two three four five six seven</p>' })).toEqual(["orphan"]);
    expect(
      await prove({
        css: `${css}p{text-wrap:balance}`,
        body: '<p data-fit="quote">one two three four five six seven</p>',
      }),
    ).toEqual([]);
    // Nothing can join the last line where a space that does not break holds the words of the line before.
    const held = (space: string) => ({
      css,
      body: `<p data-fit="quote">one two three four seventy${space}two seven</p>`,
    });
    expect(await prove(held("&nbsp;"))).toEqual([]);
  });

  it("a number on the wrong side of a date", async () => {
    const page = (dir: string) => ({
      body: `<div dir="rtl"><p style="${AT}" dir="${dir}" data-fit="when">9 March 2026.</p></div>`,
      texts: { when: "9 March 2026." },
    });
    expect(await prove(page("rtl"))).toEqual(["bidi-order"]);
    expect(await prove(page("auto"))).toEqual([]);
  });

  it("a number on the wrong side of a text with a divided word", async () => {
    const page = (dir: string) => ({
      body: `<div dir="rtl"><p style="${AT}" dir="${dir}" data-fit="when">9 March, Donau-<br>dampfschifffahrt.</p></div>`,
      texts: { when: "9 March, Donaudampfschifffahrt." },
    });
    expect(await prove(page("rtl"))).toEqual(["bidi-order"]);
    expect(await prove(page("auto"))).toEqual([]);
  });

  it("a telephone number in reverse in a layout from right to left", async () => {
    const page = (dir: string) => ({
      body: `<div dir="rtl"><p style="${AT}" data-fit="contact"><bdi dir="${dir}">+971 4 123 4567</bdi></p></div>`,
      texts: { contact: "+971 4 123 4567" },
    });
    expect(await prove(page("rtl"))).toEqual(["bidi-order"]);
    expect(await prove(page("ltr"))).toEqual([]);
  });

  it("a result in a sentence from right to left, but not the sentence for the result alone", async () => {
    const page = (dir: string) => ({
      body: `<p style="${AT}" dir="rtl" data-fit="title">فاز 2–1 أمس</p><p style="${AT};top:200px" dir="${dir}" data-fit="score">2–1</p>`,
      texts: { title: "فاز 2–1 أمس", score: "2–1" },
    });
    expect(await prove(page("rtl"))).toEqual(["bidi-order"]);
    expect(await prove(page("ltr"))).toEqual([]);
  });

  it("a full stop on the wrong side in a turned text of two lines", async () => {
    const page = (dir: string) => ({
      body: `<p style="${AT};width:260px;rotate:-8deg" dir="${dir}" data-fit="admit">تذكرة دخول رقم 12 إلى القاعة<br>لشخص واحد من عمّان.</p>`,
      texts: { admit: "تذكرة دخول رقم 12 إلى القاعة لشخص واحد من عمّان." },
    });
    expect(await prove(page("ltr"))).toEqual(["bidi-order"]);
    expect(await prove(page("rtl"))).toEqual([]);
  });

  it("a number on the wrong side of a text in Adlam, whose letters have two code units", async () => {
    const page = (dir: string) => ({
      body: `<p style="${AT}" dir="${dir}" data-fit="title">𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪 12</p>`,
      texts: { title: "𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪 12" },
    });
    expect(await prove(page("ltr"))).toEqual([]);
    expect(await prove(page("rtl"))).toEqual([]);
    const wrong = { body: `<p style="${AT}" dir="ltr" data-fit="title">12 𞤀𞤣𞤤𞤢𞤥</p>`, texts: { title: "12 𞤀𞤣𞤤𞤢𞤥" } };
    expect(await prove(wrong)).toEqual(["bidi-order"]);
  });

  it("an override that the page obeys", async () => {
    const page = (shown: string) => ({
      body: `<p style="${AT}" data-fit="title">${shown}</p>`,
      texts: { title: "abc \u202eשלום 12" },
    });
    expect(await prove(page("abc \u202eשלום 12"))).toEqual(["bidi-order"]);
    expect(await prove(page("abc שלום 12"))).toEqual([]);
  });
});

it("does not judge decoration", async () => {
  const body = `<p aria-hidden="true" style="position:absolute;left:-30px;top:40px">Microprint</p><p style="${AT}" data-fit="title">Title</p>`;
  expect(await prove({ body })).toEqual([]);
});
