// The layout inlines the source texts of these functions, so they must not use anything from outside their bodies.

/**
 * Loads scripts and style sheets again that could not be loaded. While servers of two versions run behind a balancer, as during an
 * upgrade, a page comes from one of them, and the request for its files may reach the other one, which does not have them.
 * @param onLost called once, for the first script that is not asked for any more, with a function that tells whether the reader has
 * begun to leave the page
 */
export function retryMissingFiles(onLost: (isLeaving: () => boolean) => void): void {
  type FileElement = HTMLScriptElement | HTMLLinkElement;
  const FILES = 'script[src*="/_next/static/"], link[rel="stylesheet"][href*="/_next/static/"]';
  /** The pauses before a file is asked for again, in milliseconds. A toast whose script is lost becomes an alert after as long. */
  const PAUSES_MS = [100, 200, 400, 800];
  const failures = new Map<string, number>();
  /** Each fails once. Of those that failed before this script, the event may still come. */
  const failedElements = new WeakSet<FileElement>();
  let isScriptLost = false;
  let isLeaving = false;
  const onLeaving = () => {
    isLeaving = true;
  };
  const addressOf = (element: FileElement) => (element instanceof HTMLLinkElement ? element.href : element.src);

  /** Puts a copy in the place of an element that has failed, because a browser loads each element once. */
  const replace = (failed: FileElement) => {
    const copy = document.createElement(failed.localName) as FileElement;
    for (const { name, value } of failed.attributes) copy.setAttribute(name, value);
    copy.nonce = failed.nonce;
    copy.addEventListener("load", () => failed.dispatchEvent(new Event("load")));
    copy.addEventListener("error", () => failed.dispatchEvent(new Event("error")));
    if (failed.isConnected) failed.replaceWith(copy);
    else document.head.append(copy);
  };

  /** @returns whether the file is asked for again */
  const retry = (element: FileElement): boolean => {
    if (failedElements.has(element)) return true;
    failedElements.add(element);
    const address = addressOf(element);
    // Only on a page that lacks a file: Firefox keeps no page for going back that listens to this.
    if (failures.size === 0) addEventListener("beforeunload", onLeaving);
    const count = failures.get(address) ?? 0;
    failures.set(address, count + 1);
    const pauseMs = PAUSES_MS[count];
    if (pauseMs !== undefined) setTimeout(replace, pauseMs, element);
    else if (element instanceof HTMLScriptElement && !isScriptLost) {
      isScriptLost = true;
      onLost(() => isLeaving);
    }
    return pauseMs !== undefined;
  };

  const onError = (event: Event) => {
    const { target } = event;
    const isFile = target instanceof Element && target.matches(FILES);
    if (isFile && retry(target as FileElement)) event.stopImmediatePropagation();
  };
  addEventListener("error", onError, { capture: true });
  // This script waits for the style sheets before it. What has failed meanwhile is only known from their times.
  const timed = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const failed = new Set(timed.filter(({ responseStatus }) => responseStatus >= 400).map(({ name }) => name));
  for (const element of document.querySelectorAll<FileElement>(FILES))
    if (failed.has(addressOf(element))) retry(element);
}

/**
 * Loads the page again that has lost a script and is not hydrated once all others have arrived: its buttons would do nothing. A page
 * that is hydrated works without the script, and may hold what its reader has typed.
 */
export async function reloadUnhydrated(isLeaving: () => boolean): Promise<void> {
  /** Once in such a time at most, in milliseconds. */
  const PAUSE_MS = 30_000;
  /** How long the scripts that are there may take to hydrate the page, in milliseconds. */
  const HYDRATION_MS = 2_000;
  const RELOADED_AT = "platen:reloaded-at";
  const isNeeded = () => window.earlyEvents !== undefined && !isLeaving();
  try {
    if (document.readyState !== "complete")
      await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    await new Promise((resolve) => setTimeout(resolve, HYDRATION_MS));
    if (!isNeeded() || Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < PAUSE_MS) return;
    // While nothing answers, the browser would show its own error page.
    const { ok } = await fetch(location.href, { method: "HEAD" });
    if (!ok || !isNeeded()) return;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
  } catch {
    // Without storage, nothing would keep it from loading again and again.
  }
}
