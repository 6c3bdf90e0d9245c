import { BrowserLost } from "#lib/render/render-faults.ts";
import { type CdpConnection, CdpError, type CdpSession } from "./cdp.ts";

/** The headless shell draws a frame when told to; full Chrome draws by itself, and is asked for a screenshot. */
export type FrameSource = "begin-frame" | "screenshot";

const METHOD_NOT_FOUND = -32_601;

/** What a headless shell without frame control answers. */
const WITHOUT_FRAME_CONTROL = /only supported with|BeginFrameControl/i;

/** A frame comes without pixels where the surface has just changed; the next one has them. */
const FRAME_ATTEMPTS = 3;

const FORMAT = { format: "png", optimizeForSpeed: true } as const;

/** Finds out on a page that is closed again. @throws CdpError, BrowserLost, or the signal's reason */
export async function probeFrameSource(connection: CdpConnection, signal: AbortSignal): Promise<FrameSource> {
  const root = connection.root.until(signal);
  try {
    const { targetId } = await root.send("Target.createTarget", { url: "about:blank", enableBeginFrameControl: true });
    const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
    const answer = await connection
      .session(sessionId)
      .until(signal)
      .send("HeadlessExperimental.beginFrame")
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    await root.send("Target.closeTarget", { targetId });
    if (answer) throw answer;
    return "begin-frame";
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    if (error.code === METHOD_NOT_FOUND || WITHOUT_FRAME_CONTROL.test(error.message)) return "screenshot";
    throw error;
  }
}

/** The protocol says base64; over a binary pipe it comes as the bytes themselves. */
function bytesOf(data: string | Buffer): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(data, "base64");
}

async function takeScreenshot(session: CdpSession): Promise<Buffer> {
  const { data } = await session.send("Page.captureScreenshot", FORMAT);
  return bytesOf(data);
}

/** Draws what is there now without looking at it, so that nothing of what was there before is left. */
export async function drawFrame(session: CdpSession, source: FrameSource): Promise<void> {
  if (source === "begin-frame") await session.send("HeadlessExperimental.beginFrame");
  else await takeScreenshot(session);
}

/** Draws what is there now. @returns a PNG that is compressed for speed @throws CdpError, BrowserLost, or the signal's reason */
export async function captureFrame(session: CdpSession, source: FrameSource): Promise<Buffer> {
  if (source === "screenshot") return await takeScreenshot(session);
  for (let attempt = 0; attempt < FRAME_ATTEMPTS; attempt++) {
    const { screenshotData } = await session.send("HeadlessExperimental.beginFrame", { screenshot: FORMAT });
    if (screenshotData) return bytesOf(screenshotData);
  }
  throw new BrowserLost("The browser draws no frames.");
}
