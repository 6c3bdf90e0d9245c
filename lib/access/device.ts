import Bowser from "bowser";

/** What a program that is no browser calls itself: `curl` of `curl/8.5.0`. */
const PRODUCT = /^[\w.-]{1,40}/;

/** What a browser calls itself, for people: "Firefox on Linux", "curl", or "Unknown device". */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || os.name || (PRODUCT.exec(userAgent)?.[0] ?? "Unknown device");
}
