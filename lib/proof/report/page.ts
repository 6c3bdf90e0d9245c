import type { Verdict } from "#lib/proof/judge.ts";
import type { Box } from "#lib/proof/page/text-unit.ts";
import { escapeHtml } from "#lib/type/text/escape-html.ts";
import { type Report, requestOf, tableOf } from "./summary.ts";

/** A picture of the report: its verdict, the address of its file, and the size at which it was drawn. */
export type Shown = { verdict: Verdict; source?: string; width: number; height: number };

const STYLE = `
body{margin:24px;font:14px/1.45 "Noto Sans",sans-serif;background:#f4f2ee;color:#1b1916}
h1{font-size:22px;margin:0 0 12px}h2{font-size:18px;margin:32px 0 12px}
pre{background:#fff;padding:12px;overflow:auto;font:12px/1.5 "JetBrains Mono",monospace}
.grid{display:grid;gap:16px}
figure{margin:0;background:#fff;border:1px solid #d8d3c9;padding:8px;overflow:hidden}
figure.faulty{border:2px solid #b3261e}
.drawn{position:relative;display:block;overflow:hidden}
img{display:block;width:100%;height:auto;background:repeating-conic-gradient(#ddd 0 25%,#fff 0 50%) 0 0/16px 16px}
.box{position:absolute;outline:2px solid #e5007d}
figcaption{margin-top:6px;overflow-wrap:anywhere}
ul{margin:4px 0 0;padding-left:18px}li b{color:#b3261e}
details pre{white-space:pre-wrap;margin:4px 0 0}`;

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(2)}%`;
}

function boxOf({ left, top, right, bottom }: Box, { width, height }: Shown): string {
  return `<i class="box" style="left:${share(left, width)};top:${share(top, height)};width:${share(right - left, width)};height:${share(bottom - top, height)}"></i>`;
}

function captionOf({ verdict }: Shown, withRequest: boolean): string {
  const { variant, content, faults, refusal } = verdict;
  const found = faults.map(({ kind, message }) => `<li><b>${kind}</b> ${escapeHtml(message)}</li>`).join("");
  const request = withRequest
    ? `<details><summary>Request</summary><pre>${escapeHtml(requestOf(verdict))}</pre></details>`
    : "";
  const refused = refusal === undefined ? "" : ` Refused: ${escapeHtml(refusal)}`;
  return `<figcaption>${escapeHtml(variant)} · ${escapeHtml(content)}${refused}<ul>${found}</ul>${request}</figcaption>`;
}

function figureOf(shown: Shown, withRequest: boolean): string {
  const { verdict, source } = shown;
  const boxes = verdict.faults.map(({ box }) => (box ? boxOf(box, shown) : "")).join("");
  const image =
    source === undefined ? "" : `<span class="drawn"><img src="${escapeHtml(source)}" alt="">${boxes}</span>`;
  const name = verdict.faults.length > 0 ? ' class="faulty"' : "";
  return `<figure${name}>${image}${captionOf(shown, withRequest)}</figure>`;
}

function gridOf(shown: Shown[], { columns, withRequest }: { columns: string; withRequest: boolean }): string {
  const figures = shown.map((one) => figureOf(one, withRequest)).join("");
  return `<div class="grid" style="grid-template-columns:${columns}">${figures}</div>`;
}

/** The page of a proof: the table, then the pictures of each template, those with faults first. */
export function reportPage(report: Report, shown: Shown[]): string {
  const sections = [...Map.groupBy(shown, ({ verdict }) => verdict.template)].map(([template, own]) => {
    const sorted = own.toSorted((a, b) => Number(b.verdict.faults.length > 0) - Number(a.verdict.faults.length > 0));
    const grid = gridOf(sorted, { columns: "repeat(auto-fill,minmax(320px,1fr))", withRequest: true });
    return `<h2>${escapeHtml(template)}</h2>${grid}`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Proof</title><style>${STYLE}</style><h1>Proof</h1><pre>${escapeHtml(tableOf(report))}</pre>${sections.join("")}</html>`;
}

/** A page of small pictures for one contact sheet. */
export function sheetPage(template: string, shown: Shown[], columns: number): string {
  const grid = gridOf(shown, { columns: `repeat(${columns},1fr)`, withRequest: false });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${STYLE}body{margin:16px;font-size:11px}</style><h1>${escapeHtml(template)}</h1>${grid}</html>`;
}
