import { z } from "zod";
import { moment } from "./scalars.ts";

/** From best to worst. */
export const STATUS_STATES = ["ok", "warning", "error"] as const;

/** Every check, in the order of the report. */
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

/** One fact. Numbers are raw, with their unit; the page formats them for its reader. */
const StatusDetail = z.object({
  /** The subject of the fact where there are several of a kind, such as `Browser 2`. */
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
  remedy: z.string().nullable().describe("What to do, with the variable to set; null where all is well"),
  details: z.array(StatusDetail),
});

/** A writing system with its English name and a few words in it. */
const StatusScript = z.object({
  name: z.string(),
  language: z.string().describe("The sample's language as a BCP 47 tag"),
  sample: z.string(),
  isCovered: z.boolean().describe("Whether the fonts have every character of the sample"),
});

/** `GET /api/service/status`. */
export const StatusReport = z
  .object({
    state: state.describe("The worst of all checks"),
    checkedAt: moment,
    version: z.string(),
    checks: z.array(StatusCheck),
    scripts: z.array(StatusScript),
  })
  .meta({ id: "StatusReport" });

/** The query of `GET /api/service/status/scripts`. */
export const ScriptsQuery = z.strictObject({
  theme: z
    .enum(["light", "dark"])
    .default("light")
    .meta({ description: "`light`: dark text on a light background. `dark`: the reverse." }),
});

export type StatusCheck = z.input<typeof StatusCheck>;
export type StatusDetail = z.input<typeof StatusDetail>;
export type StatusReport = z.input<typeof StatusReport>;
export type StatusScript = z.input<typeof StatusScript>;
