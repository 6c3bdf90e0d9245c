import { abortable } from "#lib/abortable.ts";
import { BrowserLost } from "#lib/render/render-faults.ts";
import type { CdpConnection, CdpSession } from "./cdp.ts";
import type { FrameSource } from "./frames.ts";

/** Enough to name what is wrong with a template; a hostile document may try any number. */
const BLOCKED_MAX = 100;
const BLOCKED_URL_MAX_CHARS = 300;

/** A page in which no script runs and from which nothing gets out. */
export type LockedTarget = {
  targetId: string;
  sessionId: string;
  /** Undefined where the whole browser is ours. */
  contextId: string | undefined;
  /** Addresses that were asked for since it was last emptied, each once. */
  blocked: string[];
  /** How often another document took the place of the one that was set. */
  navigations: number;
};

/** Each address once: a page that holds its second document tells of it twice, once for the content policy of each. */
function noteBlocked(target: LockedTarget, url: string): void {
  const address = url.slice(0, BLOCKED_URL_MAX_CHARS);
  if (target.blocked.length < BLOCKED_MAX && !target.blocked.includes(address)) target.blocked.push(address);
}

/** Every request is seen and refused. `Aborted` rather than another reason, because it leaves the document where it is. */
async function refuseRequests(session: CdpSession, target: LockedTarget): Promise<void> {
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

/** What the document's own policy blocks never becomes a request; its author wants to hear of it all the same. */
async function noteRefusals(session: CdpSession, target: LockedTarget): Promise<void> {
  session.on("Audits.issueAdded", ({ issue }) => {
    const url = issue.details.contentSecurityPolicyIssueDetails?.blockedURL;
    if (url) noteBlocked(target, url);
  });
  await session.send("Audits.enable");
}

/** Windows, frames in other processes and workers stay paused before their first instruction, or are closed. */
async function refuseTargets(
  root: CdpSession,
  { session, target }: { session: CdpSession; target: LockedTarget },
): Promise<void> {
  root.on("Target.targetCreated", ({ targetInfo }) => {
    if (targetInfo.type !== "page" || targetInfo.targetId === target.targetId) return;
    // Other pages of a shared browser are others' business.
    if (target.contextId !== undefined && targetInfo.browserContextId !== target.contextId) return;
    noteBlocked(target, targetInfo.url);
    root.send("Target.closeTarget", { targetId: targetInfo.targetId }).catch(() => undefined);
  });
  await root.send("Target.setDiscoverTargets", { discover: true });
  session.on("Target.attachedToTarget", ({ targetInfo }) => noteBlocked(target, targetInfo.url));
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
}

function watch(
  connection: CdpConnection,
  { session, target }: { session: CdpSession; target: LockedTarget },
): Promise<unknown> {
  session.on("Inspector.targetCrashed", () => connection.close(new BrowserLost("The page crashed.")));
  session.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId === undefined) target.navigations++;
  });
  session.on("Page.frameRequestedNavigation", ({ frameId, url }) => {
    if (frameId === target.targetId) noteBlocked(target, url);
  });
  return Promise.all([session.send("Page.enable"), session.send("Inspector.enable")]);
}

export type PageOptions = {
  size: { width: number; height: number };
  frames: FrameSource;
  contextId?: string | undefined;
  signal: AbortSignal;
};

/**
 * Opens a page and shuts every way out of it.
 * @throws CdpError, BrowserLost, or the signal's reason
 */
export async function lockDown(
  connection: CdpConnection,
  { size, frames, contextId, signal }: PageOptions,
): Promise<LockedTarget> {
  const root = connection.root.until(signal);
  const frameControl = frames === "begin-frame" && { enableBeginFrameControl: true };
  const context = contextId !== undefined && { browserContextId: contextId };
  const wanted = { url: "about:blank", ...size, ...frameControl, ...context };
  const { targetId } = await root.send("Target.createTarget", wanted);
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  const session = connection.session(sessionId);
  const target: LockedTarget = { targetId, sessionId, contextId, blocked: [], navigations: 0 };
  const shut = Promise.all([
    session.send("Emulation.setScriptExecutionDisabled", { value: true }),
    refuseRequests(session, target),
    noteRefusals(session, target),
    refuseTargets(connection.root, { session, target }),
    watch(connection, { session, target }),
    root.send("Browser.setDownloadBehavior", { behavior: "deny", ...context }),
  ]);
  // The session itself outlives this signal: it goes on refusing requests.
  await abortable(shut, signal);
  return target;
}
