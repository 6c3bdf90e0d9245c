import { processState } from "#lib/process-state.ts";
import type { CdpConnection } from "./cdp.ts";
import type { FrameSource } from "./frames.ts";

/** The browser that was started last. */
export type DescribedBrowser = {
  /** As it names itself, such as `HeadlessChrome/153.0.7512.0`; undefined until it has said so. */
  product: string | undefined;
  frames: FrameSource;
};

type Known = { browser: DescribedBrowser | undefined };

const known = processState("browser-description", (): Known => ({ browser: undefined }));

/** Remembers a browser that begins to serve. It is asked for its name meanwhile; nobody waits for that. */
export function noteBrowser({ root }: Pick<CdpConnection, "root">, frames: FrameSource): void {
  const browser: DescribedBrowser = { product: undefined, frames };
  known.get().browser = browser;
  root.send("Browser.getVersion").then(
    ({ product }) => {
      browser.product = product;
    },
    () => undefined,
  );
}

/** The browser that was started last; undefined before the first. */
export function describedBrowser(): DescribedBrowser | undefined {
  return known.get().browser;
}
