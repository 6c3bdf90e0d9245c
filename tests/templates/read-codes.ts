import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

// The library would otherwise download this file.
const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

/** Reads the QR codes of a picture with an independent scanner, and the error correction level of each. */
export async function scan(png: Buffer): Promise<{ text: string; ecLevel: string }[]> {
  const results = await readBarcodes(new Uint8Array(png), { formats: ["QRCode"], textMode: "Plain" });
  return results.map(({ text, ecLevel }) => ({ text, ecLevel }));
}

/** Reads the barcodes of a picture: the kind of each, and its text. */
export async function scanBarcodes(png: Buffer): Promise<{ format: string; text: string }[]> {
  const formats = ["EAN13", "UPCA", "Code128", "DataMatrix"] as const;
  const results = await readBarcodes(new Uint8Array(png), { formats: [...formats], textMode: "Plain" });
  return results.map(({ format, text }) => ({ format, text }));
}

/** The texts of {@link scan}. */
export async function readCodes(png: Buffer): Promise<string[]> {
  return (await scan(png)).map(({ text }) => text);
}
