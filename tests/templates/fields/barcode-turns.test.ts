import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { barcodeDeclaration, barcodeField } from "#lib/templates/fields/barcode.ts";
import { qrDeclaration, qrField } from "#lib/templates/fields/qr.ts";

const pass = barcodeDeclaration.parse({ type: "barcode", label: "Pass", symbology: "data-matrix" });
const entry = qrDeclaration.parse({ type: "qr", label: "Entry" });

const KINDS = {
  "Data Matrix": async (text: string) => await barcodeField.read(text, pass, {}),
  "QR code": async (text: string) => await qrField.read(text, entry, {}),
};

test.each(Object.entries(KINDS))("the %s of a caller is drawn before most of another caller's", async (_, draw) => {
  const ended: string[] = [];
  const note = (caller: string) =>
    imagesFor(new RenderImages(caller), () => draw("A-1")).then(() => ended.push(caller));
  await Promise.all([...Array.from({ length: 20 }, () => "many"), "few"].map(note));
  expect(ended.indexOf("few")).toBeLessThan(5);
  expect(ended).toHaveLength(21);
});

test("QR codes of a list are drawn one in a turn of the event loop, and not after an abort", async () => {
  const stop = new AbortController();
  const codes = Array.from({ length: 20 }, (_, index) => qrField.read(`A-${index}`, entry, { signal: stop.signal }));
  await codes[0];
  await nextTurn();
  // All of them would be drawn by now.
  stop.abort();
  const outcomes = await Promise.allSettled(codes);
  expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(10);
});
