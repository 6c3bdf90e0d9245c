import type { BrowserContext, ConsoleMessage } from "@playwright/test";

/** The largest cumulative layout shift of a page: half of what Web Vitals call good. */
const LARGEST_SHIFT = 0.05;

/** The hosts of the server under test. */
const OWN_HOSTS = new Set(["127.0.0.1", "localhost", "platen.test"]);

type Shift = { page: string; value: number; moved: string[] };

/** When a test resized the window, by the clock of the page. */
export type Resize = { from: number; to: number };

/** Collects console errors, requests to other hosts, and layout shifts. */
export class Faults {
  readonly #found: string[] = [];
  readonly #shifts = new Map<string, Shift[]>();
  readonly #tolerated: RegExp[];

  /** @param tolerated patterns of faults that a test causes on purpose */
  constructor(tolerated: RegExp[]) {
    this.#tolerated = tolerated;
  }

  /** Has to be called before the first page of the context is opened. */
  async watch(context: BrowserContext): Promise<void> {
    context.on("console", (message) => this.#readConsole(message));
    context.on("weberror", (error) => this.#found.push(`page error: ${error.error().message}`));
    context.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (/^(?:https?|wss?):$/.test(protocol) && !OWN_HOSTS.has(hostname)) {
        this.#found.push(`a request to another host: ${request.url()}`);
      }
    });
    await context.exposeBinding("reportShift", (_source, shift: Shift & { document: string }) => {
      this.#shifts.set(shift.document, [...(this.#shifts.get(shift.document) ?? []), shift]);
    });
    await context.addInitScript(observeShifts);
  }

  #readConsole(message: ConsoleMessage): void {
    if (message.type() !== "error") return;
    const { url } = message.location();
    // Chromium logs every response with a status from 400 on. Expected are those of the API, and 4xx of pages.
    const isAnswer = message.text().startsWith("Failed to load resource: the server responded with a status of");
    if (isAnswer && (!/status of 5/.test(message.text()) || url.includes("/api/")) && !url.includes("/_next/")) return;
    this.#found.push(`console: ${message.text()} (${url})`);
  }

  /** All faults so far. */
  list(): string[] {
    const shifts = [...this.#shifts.values()].flatMap((ofDocument) => {
      const sum = ofDocument.reduce((total, { value }) => total + value, 0);
      if (sum <= LARGEST_SHIFT) return [];
      const moved = ofDocument.flatMap((shift) => shift.moved).join(", ");
      return [`${ofDocument[0]?.page} shifted by ${sum.toFixed(3)}: ${moved}`];
    });
    return [...this.#found, ...shifts].filter((fault) => !this.#tolerated.some((pattern) => pattern.test(fault)));
  }
}

/** Runs in the page. As in Web Vitals, shifts do not count after user input, or while the window is resized. */
function observeShifts(): void {
  type LayoutShift = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null }[];
  };
  const nameOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element ? `<${element.localName} class="${element.getAttribute("class") ?? ""}">` : "?";
  };
  const report = (window as unknown as { reportShift: (shift: object) => void }).reportShift;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      const { resizes = [] } = window as { resizes?: Resize[] };
      const isResize = resizes.some(({ from, to }) => from <= entry.startTime && entry.startTime <= to);
      if (entry.hadRecentInput || isResize) continue;
      const moved = entry.sources.map(({ node }) => nameOf(node));
      report({ document: String(performance.timeOrigin), page: location.pathname, value: entry.value, moved });
    }
  }).observe({ type: "layout-shift", buffered: true });
}
