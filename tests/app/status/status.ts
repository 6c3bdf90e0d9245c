import { expect } from "vitest";
import type { z } from "zod";
import { type STATUS_CHECKS, StatusReport } from "#lib/schemas/status-report.ts";
import { expectSafeHeaders } from "../../http/requests.ts";
import { type Sent, send } from "../client.ts";

/** The whole report. */
export async function report(sent: Sent = {}): Promise<z.output<typeof StatusReport>> {
  const response = await send("GET", "status", sent);
  expectSafeHeaders(response);
  expect(response.status).toBe(200);
  return StatusReport.parse(await response.json());
}

/** One row. Every row has a remedy exactly when its state is not ok. */
export async function row(id: (typeof STATUS_CHECKS)[number], sent: Sent = {}) {
  const { checks } = await report(sent);
  for (const { state, remedy } of checks) expect(remedy === null).toBe(state === "ok");
  return checks.find((check) => check.id === id) ?? expect.fail(`no ${id}`);
}

/** The value of a row's detail. */
export const factOf = ({ details }: Awaited<ReturnType<typeof row>>, label: string) =>
  details.find((detail) => detail.label === label)?.value;
