import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { PROJECT_DIR, renderConfig } from "#lib/config.ts";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";

/** The address that the README names. The browser maps it to the real port. */
const SHOWN_HOST = "localhost:3000";

/** In CSS pixels: high enough for a row of templates, and for a whole picture beside its form. */
const WINDOW = { width: 1440, height: 1160 };

/** Device pixels per CSS pixel: sharp on dense screens, and still small files. */
const SCALE = 2;

type Server = { port: number; stop: () => Promise<void> };

/** Waits for the line that names the port, which may come after a build. */
async function listeningPort(server: ChildProcess): Promise<number> {
  const lines = createInterface({ input: server.stdout ?? process.stdin });
  for await (const line of lines) {
    const port = /listening on http:\/\/\S+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("The server ended before it listened.");
}

async function startServer(): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), "platen-pictures-"));
  const env = { ...process.env, PORT: "0", HOST: "127.0.0.1", SERVICE_AUTH_ENABLED: "false", SERVICE_DATA_DIR: dir };
  const server = spawn("npm", ["start"], { cwd: PROJECT_DIR, env, stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    if (server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    return { port: await listeningPort(server), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A browser with the fonts of Platen. With a port, the address of the README leads there. */
export async function startBrowser(port?: number): Promise<Browser> {
  const { dataDir } = renderConfig();
  const { executable, libraries } = await prepareChromium({ dataDir });
  const fonts = { FONTCONFIG_FILE: await prepareFontconfig(dataDir), ...(libraries && { LD_LIBRARY_PATH: libraries }) };
  return await chromium.launch({
    executablePath: executable,
    // Chromium has no sandbox for root. These pages are our own.
    args: [
      ...(port === undefined ? [] : [`--host-resolver-rules=MAP ${SHOWN_HOST} 127.0.0.1:${port}`]),
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    env: { ...(process.env as Record<string, string>), ...fonts },
  });
}

/** A screenshot of the window once all its pictures have loaded. */
async function take(page: Page, path: string): Promise<Buffer> {
  await page.goto(`http://${SHOWN_HOST}${path}`, { waitUntil: "networkidle" });
  // The first visit does not show a font that loads late.
  await page.reload({ waitUntil: "networkidle" });
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === "lazy"),
  );
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ animations: "disabled" });
  return await sharp(png).png({ palette: true, quality: 92, effort: 10 }).toBuffer();
}

function templatePath({ template, variant, data }: RenderRequest): string {
  const query = new URLSearchParams({ ...(variant && { variant }), ...(data && { data: JSON.stringify(data) }) });
  return `/templates/${template}?${query}`;
}

/** Screenshots of the gallery and of a template's page with the given edits, in the light theme, as PNGs. */
export async function takeScreenshots(filledIn: RenderRequest): Promise<{ gallery: Buffer; template: Buffer }> {
  const server = await startServer();
  try {
    const browser = await startBrowser(server.port);
    try {
      const page = await browser.newPage({ viewport: WINDOW, deviceScaleFactor: SCALE, colorScheme: "light" });
      return { gallery: await take(page, "/"), template: await take(page, templatePath(filledIn)) };
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}
