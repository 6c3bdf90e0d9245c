import { ProtocolError } from "puppeteer-core/internal/common/Errors.js";
import { abortable } from "#lib/abortable.ts";
import { BrowserLost } from "#lib/render/render-faults.ts";
import type { BrowserConnection, Commands } from "./connection.ts";

/** `begin-frame`: the headless shell draws each frame on command. `screenshot`: full Chrome draws by itself. */
export type FrameSource = "begin-frame" | "screenshot";

/** Answers of a Chrome without the command, and of a headless shell that was started without frame control. */
const WITHOUT_FRAME_CONTROL = /wasn't found|only supported with|BeginFrameControl/i;

/** The first frame after a change of size has no pixels; the next one has them. */
const FRAME_ATTEMPTS = 3;

const FORMAT = { format: "png", optimizeForSpeed: true } as const;

/** Asks for a frame of a temporary page. @throws ProtocolError, BrowserLost, or the signal's reason */
export async function probeFrameSource(connection: BrowserConnection, signal: AbortSignal): Promise<FrameSource> {
  const browser = connection.commands(signal);
  try {
    const { targetId } = await browser.send("Target.createTarget", {
      url: "about:blank",
      enableBeginFrameControl: true,
    });
    try {
      const session = await abortable(connection.attach(targetId), signal);
      await connection.commands(signal, session).send("HeadlessExperimental.beginFrame");
    } finally {
      await browser.send("Target.closeTarget", { targetId });
    }
    return "begin-frame";
  } catch (error) {
    if (error instanceof ProtocolError && WITHOUT_FRAME_CONTROL.test(error.message)) return "screenshot";
    throw error;
  }
}

async function takeScreenshot(page: Commands): Promise<Buffer> {
  const { data } = await page.send("Page.captureScreenshot", FORMAT);
  return page.bytesOf(data);
}

/** Draws a frame and discards its pixels, so that those of an earlier document are gone. */
export async function drawFrame(page: Commands, source: FrameSource): Promise<void> {
  if (source === "begin-frame") await page.send("HeadlessExperimental.beginFrame");
  else await takeScreenshot(page);
}

/** @returns a PNG that is compressed for speed @throws ProtocolError, BrowserLost, or the signal's reason */
export async function captureFrame(page: Commands, source: FrameSource): Promise<Buffer> {
  if (source === "screenshot") return await takeScreenshot(page);
  for (let attempt = 0; attempt < FRAME_ATTEMPTS; attempt++) {
    const { screenshotData } = await page.send("HeadlessExperimental.beginFrame", { screenshot: FORMAT });
    if (screenshotData) return page.bytesOf(screenshotData);
  }
  throw new BrowserLost("The browser draws no frames.");
}
