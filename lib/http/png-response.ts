type Png = {
  png: Buffer;
  slug: string;
  /** Step → milliseconds. */
  timings: Record<string, number>;
};

/** A rendered picture, with the headers of the contract and where its time went (`Server-Timing`). */
export function pngResponse({ png, slug, timings }: Png): Response {
  const steps = Object.entries(timings).map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`);
  return new Response(new Uint8Array(png.buffer as ArrayBuffer, png.byteOffset, png.length), {
    headers: {
      "Content-Type": "image/png",
      "Content-Length": String(png.length),
      "Content-Disposition": `inline; filename="${slug.replaceAll("/", "-")}.png"`,
      ...(steps.length > 0 && { "Server-Timing": steps.join(", ") }),
    },
  });
}
