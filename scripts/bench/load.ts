import { Agent, request } from "node:http";

export type CardName = "gradient" | "flat";
export const CARDS: CardName[] = ["gradient", "flat"];

/** Requests one picture and returns its bytes. @throws Error for any other answer */
export type Draw = (card: CardName, title: string) => Promise<Buffer>;

export type Round = { perSecond: number; medianMs: number; bytes: number };

/** Clients at the same time. Each requests the next picture as soon as it has the previous one. */
export const CLIENTS = 4;

const WARM_UP_MS = 300;

let asked = 0;

/** A title that no other request of the run has. */
function nextTitle(): string {
  return `Picture number ${(asked++).toString().padStart(6, "0")}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs the clients for `seconds`. Requests under way at the end are waited for and not counted. */
export async function measure(draw: Draw, { card, seconds }: { card: CardName; seconds: number }): Promise<Round> {
  const startsAt = performance.now() + WARM_UP_MS;
  const endsAt = startsAt + seconds * 1_000;
  const took: number[] = [];
  let bytes = 0;
  const client = async () => {
    while (performance.now() < endsAt) {
      const askedAt = performance.now();
      const png = await draw(card, nextTitle());
      const now = performance.now();
      bytes = png.length;
      if (now >= startsAt && now <= endsAt) took.push(now - askedAt);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { perSecond: took.length / seconds, medianMs: median(took), bytes };
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

type Ask = { url: string; body?: string };

/** One request on a connection that is kept alive. @throws Error for any answer but a PNG */
export function fetchPng({ url, body }: Ask): Promise<Buffer> {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, ...(body !== undefined && post) }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const content = Buffer.concat(chunks);
        if (response.statusCode === 200 && content.toString("latin1", 1, 4) === "PNG") resolve(content);
        else reject(new Error(`${url} answered ${response.statusCode}: ${content.toString("utf8", 0, 300)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
