import { z } from "zod";
import { moment } from "./scalars.ts";

/** From best to worst. */
export const STATUS_STATES = ["ok", "warning", "error"] as const;

/** Everything that is looked at, in the order in which it is told. */
export const STATUS_CHECKS = [
  "configuration",
  "browser",
  "sandbox",
  "canary",
  "workers",
  "queue",
  "memory",
  "disk",
  "fonts",
  "templates",
  "cache",
  "database",
  "outbound",
  "origin",
] as const;

const state = z.enum(STATUS_STATES);

/** One fact. Numbers come as they are, with their unit, for a page to write them as its reader does. */
const StatusDetail = z.object({
  /** What the fact is about where there are several of a kind, such as `Browser 2`. */
  group: z.string().nullable(),
  label: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  unit: z.enum(["bytes", "milliseconds", "seconds", "moment"]).nullable(),
});

const StatusCheck = z.object({
  id: z.enum(STATUS_CHECKS),
  title: z.string(),
  state,
  summary: z.string().describe("One sentence"),
  remedy: z.string().nullable().describe("What to do about it, with the variable to set; null where all is well"),
  details: z.array(StatusDetail),
});

/** A script, by its English name, with a few words in it. */
const StatusScript = z.object({
  name: z.string(),
  language: z.string().describe("BCP 47, of the sample"),
  sample: z.string(),
  isCovered: z.boolean().describe("Whether the fonts have every character of the sample"),
});

/** `GET /api/service/status`. */
export const StatusReport = z.object({
  state: state.describe("The worst of all checks"),
  checkedAt: moment,
  version: z.string(),
  checks: z.array(StatusCheck),
  scripts: z.array(StatusScript),
});

/** The query of `GET /api/service/status/scripts`. */
export const ScriptsQuery = z.strictObject({
  theme: z.enum(["light", "dark"]).default("light").meta({ description: "Dark type on light ground, or the reverse." }),
});

export type StatusCheck = z.input<typeof StatusCheck>;
export type StatusDetail = z.input<typeof StatusDetail>;
export type StatusReport = z.input<typeof StatusReport>;
export type StatusScript = z.input<typeof StatusScript>;
