import { globSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { freePort } from "#tests/free-port.ts";
import { spawnGroup } from "#tests/process-group.ts";

/** What the standard calls the key of an element in JSON: https://www.w3.org/TR/webdriver2/#elements */
const ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf";

/** A key in a text: https://www.w3.org/TR/webdriver2/#keyboard-actions */
export const ENTER = "\uE007";

const POLL_MS = 100;

/** The small browser that comes with the library. It has several versions of the library, with the same pages. */
function findMiniBrowser(): string {
  const [found] = globSync("/usr/lib/*/webkit2gtk-4.1/MiniBrowser");
  if (!found) throw new Error("Found no MiniBrowser of WebKitGTK, want Debian's package webkit2gtk-driver");
  return found;
}

/** Starts a display without a screen. @returns its name */
async function startDisplay(): Promise<string> {
  const xvfb = spawnGroup(["Xvfb", "-displayfd", "1", "-screen", "0", "1440x1000x24", "-nolisten", "tcp"]);
  for await (const line of createInterface({ input: xvfb.stdout })) return `:${line}`;
  throw new Error("Xvfb ended before it had a display");
}

/** A WebKit that is driven by WebDriver. Its processes end with the test file. */
export class WebKit {
  readonly #session: string;

  private constructor(session: string) {
    this.#session = session;
  }

  static async start(): Promise<WebKit> {
    const port = await freePort();
    const display = await startDisplay();
    const driver = spawnGroup(["WebKitWebDriver", `--port=${port}`], {
      env: { ...process.env, DISPLAY: display, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1" },
    });
    const address = `http://127.0.0.1:${port}/session`;
    const browser = { binary: findMiniBrowser(), args: ["--automation"] };
    const capabilities = { alwaysMatch: { browserName: "MiniBrowser", "webkitgtk:browserOptions": browser } };
    while (driver.exitCode === null) {
      try {
        const { sessionId } = (await ask("POST", address, { capabilities })) as { sessionId: string };
        return new WebKit(`${address}/${sessionId}`);
      } catch (error) {
        // It does not listen yet.
        if (!(error instanceof TypeError)) throw error;
        await sleep(POLL_MS);
      }
    }
    throw new Error(`WebKitWebDriver ended with ${driver.exitCode}`);
  }

  async open(url: string): Promise<void> {
    await ask("POST", `${this.#session}/url`, { url });
  }

  async url(): Promise<string> {
    return (await ask("GET", `${this.#session}/url`)) as string;
  }

  /** The result of an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    return (await ask("POST", `${this.#session}/execute/sync`, { script: `return ${expression}`, args: [] })) as T;
  }

  /** Waits until an expression in the page has a value that the matcher accepts. */
  async expectThat(expression: string, wanted: unknown): Promise<void> {
    await expect.poll(() => this.evaluate(expression)).toEqual(wanted);
  }

  async click(xpath: string): Promise<void> {
    await ask("POST", `${await this.#find(xpath)}/click`, {});
  }

  /** Types at the end of a control. There is no `clear`, because React does not notice that command. */
  async type(xpath: string, text: string): Promise<void> {
    await ask("POST", `${await this.#find(xpath)}/value`, { text });
  }

  async close(): Promise<void> {
    await ask("DELETE", this.#session);
  }

  async #find(xpath: string): Promise<string> {
    const found = await ask("POST", `${this.#session}/element`, { using: "xpath", value: xpath });
    return `${this.#session}/element/${(found as Record<string, string>)[ELEMENT_KEY]}`;
  }
}

/** @throws TypeError when nothing listens */
async function ask(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(address, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`WebKit refused ${method} ${address}: ${JSON.stringify(value)}`);
  return value;
}
