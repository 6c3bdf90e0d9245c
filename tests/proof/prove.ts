import { fontStack } from "#lib/fonts/generic-families.ts";
import type { FaultKind } from "#lib/proof/fault.ts";
import { findFaults, type Wanted } from "#lib/proof/oracle/find-faults.ts";
import { type Captures, examinePage, readCaptures } from "#lib/proof/page/examine.ts";
import { renderPicture } from "#lib/render/render.ts";

const SIZE = { width: 600, height: 400 };

const BASE = `*{box-sizing:border-box}html,body{margin:0;width:600px;height:400px;overflow:hidden}body{position:relative;background:#fff;color:#000;font:24px/1.4 ${fontStack("sans-serif")}}p,h1{margin:0}`;

type Page = { css?: string; body: string; language?: string } & Partial<Omit<Wanted, "texts">> & {
    texts?: Record<string, string>;
  };

/** Draws a page, and returns the kinds of fault that the oracle finds in it, each once. */
export async function prove({ css = "", body, language = "en", texts = {}, ...wanted }: Page): Promise<FaultKind[]> {
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><style>${BASE}${css}</style><body>${body}`;
  const { png, examined } = await renderPicture({ html, ...SIZE, examine: examinePage });
  const page = await readCaptures(png, examined as Captures);
  const faults = await findFaults(page, { texts: new Map(Object.entries(texts)), ...wanted });
  return [...new Set(faults.map(({ kind }) => kind))];
}
