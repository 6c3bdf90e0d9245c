import { launch, screenshot } from "../../browser.ts";
import { cardOf } from "../../card.ts";

let browser: ReturnType<typeof launch> | undefined;

/** One browser for all requests, and a new page for each. */
export async function GET(request: Request): Promise<Response> {
  browser ??= launch();
  return await screenshot(await browser, cardOf(request));
}
