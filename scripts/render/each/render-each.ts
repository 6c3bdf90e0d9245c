import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, type ErrorCode, type Issue } from "#lib/errors.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { printableJson } from "#lib/printable.ts";
import { isEngineKnown } from "#lib/render/engine.ts";
import { checkRendering } from "#lib/render/render.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { RenderRequest } from "#lib/schemas/render.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { FieldValues, Template } from "#lib/templates/template.ts";
import { UsageError } from "#scripts/run-command.ts";
import { replaceFile, writeNamed } from "../write-file.ts";
import { DrawnPictures, keyOfRow } from "./drawn-pictures.ts";
import { fileNames, folderOf, placeholdersOf } from "./file-names.ts";
import { type Counts, Progress } from "./progress.ts";
import { type Row, readRows, type Table } from "./read-rows.ts";
import { CellRefused, dataOf } from "./row-data.ts";

/** Renders in progress beyond one for each browser, so that no browser is idle while a picture is compressed and written. */
const AHEAD = 4;

/** Faults of the service rather than of a row: all other rows would have them too. */
const FATAL: ErrorCode[] = ["misconfigured", "unavailable"];

/** The column that names the variant of a row. */
const VARIANT = "variant";

export type EachOptions = {
  slug: string;
  /** A CSV file with a header, or JSON lines. */
  tableFile: string;
  /** A path with `{column}` in it, which ends in `.png`. */
  pattern: string;
  /** The variant of rows that name none. */
  variant?: string | undefined;
  /** Edits of every row, which its cells replace. */
  data?: FieldValues;
  isStrict: boolean;
  signal: AbortSignal;
};

/** What a run has done, and where its lists are. */
export type EachResult = Counts & { of: number; warned: number; seconds: number; folder: string };

type Fault = { row: number; line: number; file: string; code: string; message: string; issues?: Issue[] };

function requireColumns({ fields }: Template, { columns }: Table, placeholders: string[]): void {
  const known = [...Object.keys(fields), VARIANT];
  const unknown = columns.filter((name) => !known.includes(name) && !placeholders.includes(name));
  const missing = placeholders.filter((name) => name !== "row" && !columns.includes(name));
  if (missing.length > 0)
    throw new UsageError(`-o has {${missing.join("}, {")}}, want a column: ${columns.join(", ")}, or {row}.`);
  if (unknown.length === 0) return;
  const named = unknown.map((name) => {
    const nearest = nearestName(name, known);
    return nearest === undefined ? `"${name}"` : `"${name}" (did you mean "${nearest}"?)`;
  });
  throw new UsageError(
    `The table has columns that are no field: ${named.join(", ")}. Want some of ${known.join(", ")}.`,
  );
}

/** A run over the rows of a table. */
class Run {
  readonly counts: Counts = { drawn: 0, kept: 0, failed: 0 };
  readonly faults: Fault[] = [];
  readonly warned: (Omit<Fault, "code" | "message"> & { issues: Issue[] })[] = [];
  readonly #template: Template;
  readonly #table: Table;
  readonly #options: EachOptions;
  readonly #pictures: DrawnPictures;

  constructor(given: { template: Template; table: Table; options: EachOptions; pictures: DrawnPictures }) {
    this.#template = given.template;
    this.#table = given.table;
    this.#options = given.options;
    this.#pictures = given.pictures;
  }

  /** Draws a row, or notes its fault. @throws AppError for a fault that every row has, or the signal's reason */
  async draw(row: Row, file: string): Promise<void> {
    const place = { row: row.row, line: row.line, file };
    try {
      const warnings = await this.#drawOrKeep(this.#requestOf(row), file);
      if (warnings.length > 0) this.warned.push({ ...place, issues: warnings });
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (error instanceof CellRefused) this.faults.push({ ...place, code: "invalid_cell", message: error.message });
      else if (error instanceof AppError && !FATAL.includes(error.code)) {
        const { code, message, issues } = error;
        this.faults.push({ ...place, code, message, ...(issues.length > 0 && { issues }) });
      } else throw error;
      this.counts.failed++;
    }
  }

  #requestOf({ cells, fault }: Row): RenderRequest {
    if (fault !== undefined) throw new CellRefused(fault);
    const { slug, variant, data: shared, tableFile } = this.#options;
    const data = dataOf({ cells, fields: this.#template.fields, table: this.#table, tableFile, shared });
    const named = cells[VARIANT] ?? variant;
    const request = { template: slug, variant: typeof named === "string" ? named.trim() : named, data };
    const read = RenderRequest.safeParse(request);
    if (read.success) return read.data;
    throw new CellRefused(read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join(" "));
  }

  async #drawOrKeep(request: RenderRequest, file: string): Promise<Issue[]> {
    const { signal, isStrict } = this.#options;
    const key = await keyOfRow(this.#template, request);
    const known = this.#pictures.find(file, key);
    if (known && !(isStrict && known.warnings.length > 0)) {
      this.counts.kept++;
      return known.warnings;
    }
    const { png, warnings } = await renderTemplate(request, { isStrict, signal });
    mkdirSync(dirname(file), { recursive: true });
    await replaceFile(file, png);
    this.#pictures.add(file, { key, warnings });
    this.counts.drawn++;
    return warnings;
  }
}

async function writeList(file: string, entries: { row: number }[]): Promise<void> {
  const lines = entries.toSorted((a, b) => a.row - b.row).map((entry) => `${printableJson(entry)}\n`);
  if (lines.length > 0) await writeNamed(file, lines.join(""));
  else rmSync(file, { force: true });
}

/**
 * Draws a picture for each row of a table, as many at a time as the browsers can. Pictures that are there and were drawn
 * from the same row are left out. Rows with a fault are listed in `faults.jsonl`, and those with warnings in
 * `warnings.jsonl`, beside the pictures.
 * @throws UsageError before the first picture, AppError for a fault that every row has, or the signal's reason
 */
export async function renderEach(options: EachOptions): Promise<EachResult> {
  const { slug, tableFile, pattern } = options;
  const template = await findTemplate(slug);
  const table = readRows(tableFile);
  requireColumns(template, table, placeholdersOf(pattern));
  const files = fileNames(pattern, table.rows);
  const folder = folderOf(pattern);
  const pictures = new DrawnPictures(join(folder, "pictures.jsonl"));
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const run = new Run({ template, table, options: { ...options, signal }, pictures });
  const progress = new Progress(table.rows.length);
  const waiting = table.rows.entries();
  const work = async () => {
    for (const [index, row] of waiting) {
      signal.throwIfAborted();
      await run.draw(row, files[index] ?? "");
      progress.show(run.counts);
    }
  };
  const config = requireRenderConfig();
  const { workers, queueLimit } = config;
  try {
    // The version of a remote browser counts, too, and is known once it has drawn.
    if (!isEngineKnown(config)) await checkRendering();
    await Promise.all(Array.from({ length: workers + Math.min(AHEAD, queueLimit) }, work));
  } finally {
    stop.abort();
    await writeList(join(folder, "faults.jsonl"), run.faults);
    await writeList(join(folder, "warnings.jsonl"), run.warned);
  }
  const { seconds } = progress;
  return { ...run.counts, of: table.rows.length, warned: run.warned.length, seconds, folder };
}
