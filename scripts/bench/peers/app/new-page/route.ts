import { launch, screenshot } from "../../browser.ts";
import { cardOf } from "../../card.ts";

let browser: ReturnType<typeof launch> | undefined;

/** One browser that stays, and a new page for each request. */
export async function GET(request: Request): Promise<Response> {
  browser ??= launch();
  return await screenshot(await browser, cardOf(request));
}
