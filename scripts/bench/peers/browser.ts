import chromium from "@sparticuz/chromium";
import puppeteer, { type Browser } from "puppeteer-core";
import { type Card, htmlOf, SIZE } from "./card.ts";

/** The launch options of the package's documentation. */
export async function launch(): Promise<Browser> {
  return await puppeteer.launch({
    args: chromium.args,
    executablePath: await chromium.executablePath(),
    headless: "shell",
    defaultViewport: SIZE,
  });
}

/** A page for one picture. */
export async function screenshot(browser: Browser, card: Card): Promise<Response> {
  const page = await browser.newPage();
  try {
    await page.setContent(htmlOf(card), { waitUntil: "load" });
    const png = await page.screenshot({ type: "png" });
    return new Response(png, { headers: { "Content-Type": "image/png" } });
  } finally {
    await page.close();
  }
}
