import { existsSync, readdirSync } from "node:fs";
import { findFonts } from "#lib/fonts/archive.ts";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { FAMILIES } from "#lib/fonts/families.ts";
import { currentFonts, readManifest } from "#lib/fonts/font-set.ts";
import { SAMPLES, type Sample } from "#lib/fonts/scripts.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import type { StatusScript } from "#lib/schemas/status-report.ts";
import type { FolderReport } from "#lib/templates/folders/served-folders.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { count, detail, type Finding } from "./finding.ts";

const REBUILD = 'Run "npm ci" and "npm run fonts", and start again.';

/** The scripts, and whether the fonts cover them. Fonts that were never built cover nothing. */
export function scripts(): StatusScript[] {
  const has = ({ sample }: Sample) => {
    try {
      return missingGlyphs(sample).length === 0;
    } catch {
      return false;
    }
  };
  return SAMPLES.map(({ name, language, sample }) => ({
    name,
    language,
    sample,
    isCovered: has({ name, language, sample }),
  }));
}

/** Whether every built font file is there, and the fonts cover every script. */
export function lookAtFonts(): Finding {
  const manifest = readManifest();
  if (!manifest) return { state: "error", summary: "The fonts are not built: pictures have no text.", remedy: REBUILD };
  const { folder: built, archive } = currentFonts();
  // Only a deployment has its fonts in the data folder, so a wrong variable hides nothing here.
  const folder = existsSync(built) ? built : findFonts(requireRenderConfig().dataDir);
  if (folder === undefined && !existsSync(archive))
    return { state: "error", summary: "The font files are missing: pictures have no text.", remedy: REBUILD };
  // A deployment unpacks its fonts when the first browser starts.
  const files = folder === undefined ? manifest.files : readdirSync(folder).length;
  const uncovered = scripts().filter((script) => !script.isCovered);
  const details = [
    detail("Families", FAMILIES.length),
    detail("Files", files),
    detail("Scripts", SAMPLES.length - uncovered.length),
    detail("Version", manifest.version),
  ];
  if (files < manifest.files) {
    const summary = `${count(manifest.files - files, "font file")} of ${manifest.files} ${manifest.files - files === 1 ? "is" : "are"} missing.`;
    return { state: "error", summary, remedy: REBUILD, details };
  }
  if (uncovered.length > 0) {
    const summary = `No font has all of ${uncovered.map(({ name }) => name).join(", ")}.`;
    return { state: "error", summary, remedy: REBUILD, details };
  }
  return {
    state: "ok",
    summary: `${count(SAMPLES.length, "script")} are covered by ${FAMILIES.length} families.`,
    details,
  };
}

/** Only the name of a folder is told, because the report shows no paths of the machine. */
function describeFolder({ name, templates, hidden }: FolderReport, index: number) {
  const behind = hidden > 0 ? `, ${hidden} behind ${hidden === 1 ? "one" : "those"} of an earlier folder` : "";
  return detail(`Folder ${index + 1}: ${name}`, `${count(templates, "template")}${behind}`);
}

/** Whether there are templates, and none is faulty. @throws AppError `misconfigured` or `unavailable` */
export async function lookAtTemplates(): Promise<Finding> {
  const { templates, faults, folders } = await getRegistry();
  const details = [
    detail("Templates", templates.length),
    detail(
      "Variants",
      templates.reduce((sum, { variants }) => sum + Object.keys(variants).length, 0),
    ),
    ...folders.map(describeFolder),
    ...faults.map(({ slug, file, line, reason }) => detail(slug, `${file}:${line}: ${reason}`)),
  ];
  const left = new Set(faults.map(({ slug }) => slug)).size;
  if (templates.length === 0) {
    const remedy =
      "Add a template to the folder that SERVICE_TEMPLATES_DIR names, or unset the variable to serve the shipped ones.";
    return { state: "error", summary: "There is no template that can be rendered.", remedy, details };
  }
  const empty = folders.filter((folder) => folder.templates === 0).map(({ name }) => name);
  if (left > 0) {
    const remedy = "Correct the files in the folder that SERVICE_TEMPLATES_DIR names, and start again.";
    return {
      state: "warning",
      summary: `${count(left, "faulty template")} ${left === 1 ? "is" : "are"} not served.`,
      remedy,
      details,
    };
  }
  if (empty.length > 0) {
    const remedy = "Add a template to it, or remove it from SERVICE_TEMPLATES_DIR.";
    return { state: "warning", summary: `The folder ${empty.join(" and ")} has no template.`, remedy, details };
  }
  return { state: "ok", summary: `${count(templates.length, "template")} can be rendered.`, details };
}
