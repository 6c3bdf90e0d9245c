import type { CDPSession } from "puppeteer-core/internal/api/CDPSession.js";
import { abortable } from "#lib/abortable.ts";
import { BrowserLost } from "#lib/render/render-faults.ts";
import type { BrowserConnection } from "./connection.ts";
import type { FrameSource } from "./frames.ts";

/** Enough to find the fault in a template. A hostile document may try any number of addresses. */
const BLOCKED_MAX = 100;
const BLOCKED_URL_MAX_CHARS = 300;

/** A page that runs no scripts and reaches nothing outside itself. */
export type LockedTarget = {
  targetId: string;
  session: CDPSession;
  /** Undefined where the browser has no other clients. */
  contextId: string | undefined;
  /** Addresses that the page requested, each once. The reader empties it. */
  blocked: string[];
  /** The browser's id of the last document in the main frame. Undefined until the page reports one. */
  loaderId: string | undefined;
};

/** Keeps each address once. From the second document on, a page reports an address for each document's policy. */
function noteBlocked(target: LockedTarget, url: string): void {
  const address = url.slice(0, BLOCKED_URL_MAX_CHARS);
  if (target.blocked.length < BLOCKED_MAX && !target.blocked.includes(address)) target.blocked.push(address);
}

/** Sees and refuses every request. The reason `Aborted` leaves the document in place; others show an error page. */
async function refuseRequests(target: LockedTarget): Promise<void> {
  const { session } = target;
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    noteBlocked(target, request.url);
    session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" }).catch(() => undefined);
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
  await session.send("Network.emulateNetworkConditions", {
    offline: true,
    latency: 0,
    downloadThroughput: 0,
    uploadThroughput: 0,
  });
}

/** Reports what the document's own content policy blocks, which never becomes a request. */
async function notePolicyRefusals(target: LockedTarget): Promise<void> {
  const { session } = target;
  session.on("Audits.issueAdded", ({ issue }) => {
    const url = issue.details.contentSecurityPolicyIssueDetails?.blockedURL;
    if (url) noteBlocked(target, url);
  });
  await session.send("Audits.enable");
}

/** Closes other pages, and leaves frames in other processes and workers paused before their first instruction. */
async function refuseTargets({ root }: BrowserConnection, target: LockedTarget): Promise<void> {
  const { session } = target;
  root.on("Target.targetCreated", ({ targetInfo }) => {
    if (targetInfo.type !== "page" || targetInfo.targetId === target.targetId) return;
    // Pages in other contexts belong to other clients of the browser.
    if (target.contextId !== undefined && targetInfo.browserContextId !== target.contextId) return;
    noteBlocked(target, targetInfo.url);
    root.send("Target.closeTarget", { targetId: targetInfo.targetId }).catch(() => undefined);
  });
  await root.send("Target.setDiscoverTargets", { discover: true });
  session.on("Target.attachedToTarget", ({ targetInfo }) => noteBlocked(target, targetInfo.url));
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
}

function watch(connection: BrowserConnection, target: LockedTarget): Promise<unknown> {
  const { session } = target;
  connection.root.on("Target.detachedFromTarget", ({ sessionId }) => {
    if (sessionId === session.id()) connection.close(new BrowserLost("The page was closed."));
  });
  session.on("Inspector.targetCrashed", () => connection.close(new BrowserLost("The page crashed.")));
  session.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId === undefined) target.loaderId = frame.loaderId;
  });
  session.on("Page.frameRequestedNavigation", ({ frameId, url }) => {
    if (frameId === target.targetId) noteBlocked(target, url);
  });
  return Promise.all([session.send("Page.enable"), session.send("Inspector.enable")]);
}

/**
 * Waits until the page has reported this document. The answer to `Page.navigate` comes from another process, so it may arrive before
 * the report. If an earlier navigation was abandoned, the report of its document may even come in between.
 * @throws the signal's reason
 */
export async function waitForDocument(
  target: LockedTarget,
  loaderId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (target.loaderId === loaderId) return;
  const reported = Promise.withResolvers<void>();
  const look = () => {
    if (target.loaderId === loaderId) reported.resolve();
  };
  target.session.on("Page.frameNavigated", look);
  await abortable(reported.promise, signal).finally(() => target.session.off("Page.frameNavigated", look));
}

export type PageOptions = {
  size: { width: number; height: number };
  frames: FrameSource;
  contextId?: string | undefined;
  signal: AbortSignal;
};

/**
 * Opens a page that runs no scripts and reaches nothing outside itself.
 * @throws ProtocolError, BrowserLost, or the signal's reason
 */
export async function lockDown(
  connection: BrowserConnection,
  { size, frames, contextId, signal }: PageOptions,
): Promise<LockedTarget> {
  const browser = connection.commands(signal);
  const frameControl = frames === "begin-frame" && { enableBeginFrameControl: true };
  const context = contextId !== undefined && { browserContextId: contextId };
  const wanted = { url: "about:blank", ...size, ...frameControl, ...context };
  const { targetId } = await browser.send("Target.createTarget", wanted);
  const session = await abortable(connection.attach(targetId), signal);
  const target: LockedTarget = { targetId, session, contextId, blocked: [], loaderId: undefined };
  const locked = Promise.all([
    session.send("Emulation.setScriptExecutionDisabled", { value: true }),
    refuseRequests(target),
    notePolicyRefusals(target),
    refuseTargets(connection, target),
    watch(connection, target),
    // Interception does not see a download from a `data:` address.
    browser.send("Browser.setDownloadBehavior", { behavior: "deny", ...context }),
  ]);
  // The listeners outlive this signal: they refuse requests for as long as the page exists.
  await abortable(locked, signal);
  return target;
}
