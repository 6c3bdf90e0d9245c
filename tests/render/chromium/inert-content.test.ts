import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { pixelsOf, prepareMachine, watchLoopback } from "../rig.ts";

const SIZE = { width: 400, height: 300 };
let loopback: Awaited<ReturnType<typeof watchLoopback>>;

beforeAll(async () => {
  await prepareMachine();
  loopback = await watchLoopback();
});

afterAll(async () => {
  await shutDown();
  await loopback.close();
});

async function draw(body: string, head = "") {
  const html = `<!doctype html><html><head>${head}<style>body{margin:20px;font:20px Inter;background:#fff}iframe,object,embed{border:0;width:60px;height:40px;vertical-align:top}</style></head><body>Text ${body}</body></html>`;
  return await renderPicture({ html, ...SIZE });
}

const BOX = `<span style="display:inline-block;width:60px;height:40px;vertical-align:top"></span>`;
const RED = "document.documentElement.style.background='red'";

/** Hostile markup, and the inert markup whose pixels it must have. `@` stands for the loopback server. */
const CASES: Record<string, { hostile: string; inert: string; asksFor?: string }> = {
  "a script": { hostile: `<script>${RED}</script>`, inert: "" },
  "an event handler": {
    hostile: `<svg width=9 height=9 onload="${RED}"></svg><b autofocus tabindex=0 style="outline:0" onfocus="${RED}"></b>`,
    inert: "<svg width=9 height=9></svg><b></b>",
  },
  "an iframe": { hostile: `<iframe src="@/frame"></iframe>`, inert: BOX },
  "a script in an iframe's own document": {
    hostile: `<iframe srcdoc="<script>document.documentElement.style.background='red'</script>"></iframe>`,
    inert: BOX,
  },
  "a script in a sandboxed iframe that allows scripts": {
    hostile: `<iframe sandbox="allow-scripts" srcdoc="<script>document.documentElement.style.background='red'</script>"></iframe>`,
    inert: BOX,
  },
  "a fenced frame": {
    hostile: `<fencedframe src="@/fenced"></fencedframe>`,
    inert: `<b style="border:2px inset"></b>`,
  },
  "a meta refresh": {
    hostile: `<meta http-equiv="refresh" content="0;url=@/refresh">`,
    inert: "",
    asksFor: "/refresh",
  },
  "a meta refresh to a data: document": {
    hostile: `<meta http-equiv="refresh" content="0;url=data:text/html,<body style=background:red>">`,
    inert: "",
  },
  "preconnect, prefetch, preload and prerender": {
    hostile: `<link rel=preconnect href="@"><link rel=dns-prefetch href="@"><link rel=prefetch href="@/prefetch"><link rel=preload as=image href="@/preload"><link rel=prerender href="@/prerender"><link rel=icon href="@/icon"><link rel=manifest href="@/manifest"><script type=speculationrules>{"prefetch":[{"source":"list","urls":["@/speculation"]}]}</script>`,
    inert: "",
    asksFor: "/preload",
  },
  "an object and an embed": {
    hostile: `<object data="@/object"></object><embed src="@/embed">`,
    inert: BOX + BOX,
    asksFor: "/object",
  },
  // Without scripts both show controls, whose look depends on whether anything may load: only their boxes are compared.
  "video and audio": {
    hostile: `<i style="position:absolute;visibility:hidden"><video src="@/video" autoplay></video><audio src="@/audio" autoplay></audio></i> end`,
    inert: `<i style="position:absolute;visibility:hidden"><video controls></video><audio controls></audio></i> end`,
    asksFor: "/video",
  },
  "external style sheets, fonts and backgrounds": {
    hostile: `<link rel=stylesheet href="@/sheet"><style>@import "@/import";@font-face{font-family:Far;src:url(@/font)}body{background-image:url(@/background);font-family:Far,Inter}</style>`,
    inert: "",
    asksFor: "/sheet",
  },
  "an external filter, mask and SVG use": {
    hostile: `<svg width=9 height=9><use href="@/use#x"/></svg><i style="clip-path:url(@/clip#x)"></i>`,
    inert: "<svg width=9 height=9></svg><i></i>",
  },
  "a base address": { hostile: `<base href="@/base/"><i style="background:url(relative)"></i>`, inert: "<i></i>" },
  "a file as an image and a frame": {
    hostile: `<iframe src="file:///etc/passwd"></iframe><i style="background:url(file:///etc/passwd)"></i>`,
    inert: `${BOX}<i></i>`,
  },
  "every other scheme in a frame": {
    hostile: [
      "chrome://version",
      "view-source:@/view",
      "blob:@/1",
      "filesystem:@/temporary/x",
      "ftp://127.0.0.1/x",
      "devtools://devtools/x",
      "javascript:document.write(1)",
      "about:srcdoc",
    ]
      .map((url) => `<iframe src="${url}"></iframe>`)
      .join(""),
    inert: BOX.repeat(8),
  },
};

describe("in a document", () => {
  test.for(Object.entries(CASES))(
    "%s loads nothing and leaves the pixels of inert content",
    async ([, { hostile, inert, asksFor }]) => {
      const expected = await draw(inert);
      const html = hostile.replaceAll("@/", `${loopback.origin}/`).replaceAll('"@"', `"${loopback.origin}"`);
      const picture = await draw(html);
      expect((await pixelsOf(picture.png)).equals(await pixelsOf(expected.png))).toBe(true);
      expect(loopback.hits).toEqual([]);
      if (!asksFor) return;
      // The frame does not wait for some requests, such as those of videos. One that is made after it is not in its list.
      const asked = picture.blockedRequests;
      const hasAsked = () => asked.some((request) => request.includes(asksFor));
      const drawUntilAsked = async () => {
        if (!hasAsked()) asked.push(...(await draw(html)).blockedRequests);
        return hasAsked();
      };
      await expect.poll(drawUntilAsked).toBe(true);
    },
  );
});

test("an external image stays a broken image and is reported", async () => {
  const { blockedRequests } = await draw(`<img src="${loopback.origin}/image">`);
  expect(blockedRequests).toEqual([`${loopback.origin}/image`]);
  expect(loopback.hits).toEqual([]);
});

test("an address that the document's own policy blocks is reported too", async () => {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;
  const { blockedRequests } = await draw(`<img src="${loopback.origin}/by-policy">`, policy);
  expect(blockedRequests).toEqual([`${loopback.origin}/by-policy`]);
});

test("a document that replaces itself is refused, or rendered as it was", async () => {
  const inert = await pixelsOf((await draw("")).png);
  const attempts = Array.from({ length: 5 }, () => draw(`<meta http-equiv="refresh" content="0;url=about:blank">`));
  for (const attempt of await Promise.allSettled(attempts)) {
    // The picture may be taken before the refresh begins, so whether it is refused depends on how busy the machine is.
    if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ code: "render_failed" });
    else expect((await pixelsOf(attempt.value.png)).equals(inert)).toBe(true);
  }
});

test("a document with 500 requests is rendered, and reports 100 of them", async () => {
  const { blockedRequests } = await draw(
    Array.from({ length: 500 }, (_, i) => `<img src="${loopback.origin}/${i}?${"x".repeat(1_000)}">`).join(""),
  );
  expect(blockedRequests).toHaveLength(100);
  expect(Math.max(...blockedRequests.map((url) => url.length))).toBeLessThanOrEqual(300);
  expect(loopback.hits).toEqual([]);
});
