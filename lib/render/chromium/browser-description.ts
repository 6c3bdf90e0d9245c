import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { BrowserConnection } from "./connection.ts";
import type { FrameSource } from "./frames.ts";

/** The browser that was started last. */
export type DescribedBrowser = {
  /**
   * Its own name, such as `HeadlessChrome/153.0.7512.0`; that of the last one until it has answered. Undefined before the first answer,
   * and empty for a browser that does not say.
   */
  product: string | undefined;
  frames: FrameSource;
  /** The bundled families that it lacks. */
  missingFonts: string[];
};

type Known = { browser: DescribedBrowser | undefined };

const known = processState("browser-description", (): Known => ({ browser: undefined }));

/** Logs it once, and not for each browser that is started. */
function reportMissingFonts(families: string[], before: string[] = []): void {
  if (families.length === 0 || families.join() === before.join()) return;
  log().warn({ families }, "The browser lacks fonts of Platen: pictures show other ones, and may lack whole scripts.");
}

/** Remembers a browser that begins to serve, and asks for its name without waiting for the answer. */
export function noteBrowser(
  { root }: Pick<BrowserConnection, "root">,
  facts: Pick<DescribedBrowser, "frames" | "missingFonts">,
): void {
  const last = known.get().browser;
  reportMissingFonts(facts.missingFonts, last?.missingFonts);
  const browser: DescribedBrowser = { product: last?.product, ...facts };
  known.get().browser = browser;
  root.send("Browser.getVersion").then(
    ({ product = "" }) => {
      browser.product = product;
    },
    () => {
      browser.product ??= "";
    },
  );
}

/** The browser that was started last; undefined before the first. */
export function describedBrowser(): DescribedBrowser | undefined {
  return known.get().browser;
}
