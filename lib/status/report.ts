import { VERSION } from "#lib/config.ts";
import { STATUS_CHECKS, STATUS_STATES, type StatusCheck, type StatusReport } from "#lib/schemas/status-report.ts";
import { lookAtBrowser, lookAtProbe, lookAtSandbox } from "./browser.ts";
import { lookAtConfiguration } from "./configuration.ts";
import { lookAtFonts, lookAtTemplates, scripts } from "./content.ts";
import { lookAtDatabase } from "./database.ts";
import { checkOf, type Finding, failedFinding } from "./finding.ts";
import { lookAtCache, lookAtQueue, lookAtWorkers } from "./load.ts";
import { lookAtDisk, lookAtMemory } from "./machine.ts";
import { type EntryPoint, lookAtOrigin } from "./origin.ts";
import { lookAtOutbound } from "./outbound.ts";

type Look = { title: string; look: (entryPoint: EntryPoint) => Finding | Promise<Finding> };

const LOOKS: Record<StatusCheck["id"], Look> = {
  configuration: { title: "Configuration", look: lookAtConfiguration },
  browser: { title: "Chromium", look: lookAtBrowser },
  sandbox: { title: "Sandbox", look: lookAtSandbox },
  canary: { title: "Test picture", look: lookAtProbe },
  workers: { title: "Workers", look: lookAtWorkers },
  queue: { title: "Queue", look: lookAtQueue },
  memory: { title: "Memory", look: lookAtMemory },
  disk: { title: "Data folder", look: lookAtDisk },
  fonts: { title: "Fonts and scripts", look: lookAtFonts },
  templates: { title: "Templates", look: lookAtTemplates },
  cache: { title: "Cache", look: lookAtCache },
  database: { title: "Database", look: lookAtDatabase },
  outbound: { title: "Images from elsewhere", look: lookAtOutbound },
  origin: { title: "Origin and cookie", look: lookAtOrigin },
};

async function check(id: StatusCheck["id"], entryPoint: EntryPoint): Promise<StatusCheck> {
  const { title, look } = LOOKS[id];
  const finding = await Promise.resolve(entryPoint).then(look).catch(failedFinding);
  return checkOf({ id, title }, finding);
}

/**
 * Checks everything that the service depends on. The report holds no secret and no path of the machine. Never throws. It
 * takes some milliseconds, and up to 5 s when nothing can be rendered.
 */
export async function readStatus(entryPoint: EntryPoint): Promise<StatusReport> {
  // The test picture comes first: a cold service starts its browser for it, which the other checks report on.
  const canary = await check("canary", entryPoint);
  const checks = await Promise.all(STATUS_CHECKS.map((id) => (id === "canary" ? canary : check(id, entryPoint))));
  const worst = Math.max(...checks.map(({ state }) => STATUS_STATES.indexOf(state)));
  return {
    state: STATUS_STATES[worst] ?? "error",
    checkedAt: new Date(),
    version: VERSION,
    checks,
    scripts: scripts(),
  };
}
