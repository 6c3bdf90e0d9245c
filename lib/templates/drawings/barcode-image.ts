import type { DrawingContext, RenderOptions } from "bwip-js/generic";
import { inBarcodeTurn } from "./barcode-turns.ts";

/** Kinds of barcode, by their names in `template.json`. */
export const SYMBOLOGIES = ["ean-13", "upc-a", "code-128", "data-matrix"] as const;

export type Symbology = (typeof SYMBOLOGIES)[number];

/** Margins that scanners need, in modules: GS1 General Specifications 5.2.3.4, ISO/IEC 15417 4.6, ISO/IEC 16022 7. */
const QUIET_ZONES: Record<Symbology, { left: number; right: number; above: number }> = {
  "ean-13": { left: 11, right: 7, above: 0 },
  "upc-a": { left: 9, right: 9, above: 0 },
  "code-128": { left: 10, right: 10, above: 0 },
  "data-matrix": { left: 1, right: 1, above: 1 },
};

/** A code with bars has one row, which its element stretches to any height. */
export function isLinear(symbology: Symbology): boolean {
  return symbology !== "data-matrix";
}

type Drawn = { width: number; height: number; path: string };

/** Receives the bars or areas of a code from bwip-js, and writes them as an SVG path with one unit a module. */
class ModulePath implements DrawingContext<Drawn> {
  #size = { width: 0, height: 0 };
  #path = "";
  /** Where the last bar ends. bwip-js may report a wider code. */
  #end = 0;

  scale(): [number, number] {
    return [1, 1];
  }

  init(width: number, height: number): void {
    this.#size = { width, height };
  }

  /** A bar. bwip-js gives its middle, rounded up. */
  line(x: number, _y0: number, _x1: number, _y1: number, thickness: number): void {
    const left = x - Math.ceil(thickness / 2);
    this.#end = Math.max(this.#end, left + thickness);
    this.#path += `M${left} 0h${thickness}v1H${left}z`;
  }

  polygon(points: [number, number][]): void {
    this.#path += `M${points.map(([x, y]) => `${x} ${y}`).join("L")}z`;
  }

  measure() {
    return { width: 0, ascent: 0, descent: 0 };
  }

  end(): Drawn {
    const { width, height } = this.#size;
    return { width: this.#end || width, height, path: this.#path };
  }

  hexagon(): void {}
  ellipse(): void {}
  fill(): void {}
  clip(): void {}
  unclip(): void {}
  text(): void {}
}

/** Says in a Data Matrix that its bytes are UTF-8 (AIM ECI 26). Readers guess otherwise. */
const UTF8 = "^ECI000026";

async function encode(symbology: Symbology, text: string): Promise<Drawn> {
  // Two megabytes of code, so only a template with a barcode loads them.
  const { code128, datamatrix, ean13, upca } = await import("bwip-js/generic");
  const encoders = { "ean-13": ean13, "upc-a": upca, "code-128": code128, "data-matrix": datamatrix };
  const hasEci = symbology === "data-matrix" && /[^ -~]/.test(text);
  const options = hasEci ? { text: UTF8 + text.replaceAll("^", "^^"), parsefnc: true } : { text };
  return encoders[symbology](options as RenderOptions, new ModulePath());
}

type Wanted = { symbology: Symbology; text: string; hasMargin: boolean; signal?: AbortSignal | undefined };

/**
 * An SVG image of a code with its margin, one pixel a module, black on white for every scanner. A code with bars is one
 * pixel high. Without a margin, the template has to leave one around the code.
 * @throws Error of bwip-js for a text that the code cannot hold, or the signal's reason
 */
export async function drawBarcode({ symbology, text, hasMargin, signal }: Wanted): Promise<string> {
  const drawn = await inBarcodeTurn(() => encode(symbology, text), { text, signal });
  const { left, right, above } = hasMargin ? QUIET_ZONES[symbology] : { left: 0, right: 0, above: 0 };
  const width = left + drawn.width + right;
  const height = isLinear(symbology) ? 1 : above + drawn.height + above;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v${height}H0z"/><path fill-rule="evenodd" transform="translate(${left} ${above})" d="${drawn.path}"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
