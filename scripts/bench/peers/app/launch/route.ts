import { launch, screenshot } from "../../browser.ts";
import { cardOf } from "../../card.ts";

/** A browser for each request. */
export async function GET(request: Request): Promise<Response> {
  const browser = await launch();
  try {
    return await screenshot(browser, cardOf(request));
  } finally {
    await browser.close();
  }
}
