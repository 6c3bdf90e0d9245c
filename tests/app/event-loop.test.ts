import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { buildFonts } from "#lib/fonts/build.ts";
import { shutDown } from "#lib/render/render.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { processorMs, SOON_MS } from "#tests/pace.ts";
import { POST } from "../../app/api/service/images/render/route.ts";
import { ask, errorOf, postRequest } from "../http/requests.ts";

const BODY_BYTES = 12_000_000;

/** Milliseconds of processor time of this thread, so that other processes do not count. */
const HOLD_LIMIT_MS = 500;

/** A head, as many repetitions as fit, and a tail. */
function filled(head: string, unit: string, tail: string): string {
  const room = BODY_BYTES - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return head + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + tail;
}

function keys(count: number, name: (index: number) => string): string {
  return `{${Array.from({ length: count }, (_, index) => `"${name(index)}":1`).join()}}`;
}

/** In bytes; an answer with a hundred faults is much smaller. */
const ANSWER_LIMIT_BYTES = 100_000;

/** Each is refused before its data is read: its template does not exist. */
const text = (head: string, unit: string) => filled(`{"template":"no/such","data":{"a":"${head}`, unit, '"}}');

const BODIES: Record<string, () => string> = {
  "one text": () => text("", "a"),
  "escaped quotes": () => text("", '\\"'),
  "escaped letters": () => text("", "\\u0041"),
  "escaped NULs": () => text("", "\\u0000"),
  "halves of surrogate pairs": () => text("", "\\ud83d"),
  emoji: () => text("", "😀"),
  "combining marks": () => text("a", "\u0301"),
  "open brackets": () => filled("", "[", ""),
  "open objects": () => filled("", '{"a":', ""),
  "100,000 levels": () => "[".repeat(100_000) + "]".repeat(100_000),
  "1,000,000 keys": () => keys(1_000_000, (index) => `k${index}`),
  "20,000 long keys": () => keys(19_990, (index) => "k".repeat(580) + index),
  "20,000 escaped keys": () => keys(19_990, (index) => "\\u006b".repeat(95) + index),
  "one key": () => filled('{"', "k", '":1}'),
  "the same key twice": () => `{${`"${"k".repeat(BODY_BYTES / 2 - 10)}":1,`.repeat(2).slice(0, -1)}}`,
  zeros: () => filled('{"data":[', "0,", "0]}"),
  "small objects": () => filled('{"data":[', '{"a":1},', "0]}"),
  "one number": () => filled('{"data":', "1", "}"),
  "long numbers": () => filled('{"data":[', `${"7".repeat(300)}.${"7".repeat(690)}e-300,`, "0]}"),
  blanks: () => filled('{"template":"no/such"', " ", "}"),
  "empty texts": () => filled("", '""', ""),
  minuses: () => filled("", "- ", ""),
  "broken escapes": () => filled('{"a":"', "\\u", '"}'),
  "unknown keys": () => keys(9_000, (index) => `${"tem".repeat(400)}${index}`),
};

type Field = { slug: string; name: string };

/** Data that is checked against a template's fields. */
const DATA: Record<string, (field: Field) => string> = {
  "short unknown keys": () => keys(19_990, (index) => "k".repeat(60 - String(index).length) + index),
  "long unknown keys": () => keys(19_990, (index) => "k".repeat(580 - String(index).length) + index),
  "keys like the field's": ({ name }) => keys(19_990, (index) => name + index),
  "a text of 11.9 MB": ({ name }) => `{"${name}":"${"word ".repeat(2_380_000)}"}`,
  "a text of one letter, 11.9 MB": ({ name }) => `{"${name}":"${"a".repeat(11_900_000)}"}`,
  "a million combining marks": ({ name }) => `{"${name}":"a${"\u0301".repeat(1_000_000)}"}`,
  "600,000 combined emoji": ({ name }) => `{"${name}":"${"👩‍👩‍👧".repeat(600_000)}"}`,
  "lines of nothing": ({ name }) => `{"${name}":"${"\\n".repeat(5_900_000)}"}`,
};

/** The longest time in milliseconds for which `act` blocked the event loop. */
async function longestHold(act: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = processorMs();
  const beat = () => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const heart = setInterval(beat, 1);
  await act();
  await sleep(5);
  clearInterval(heart);
  return longest;
}

describe("a body of 12 MB", () => {
  it.each(Object.keys(BODIES))("of %s holds the event loop for less than half a second", async (name) => {
    const request = postRequest({ body: Buffer.from(BODIES[name]?.() ?? "") });
    const hold = await longestHold(async () => {
      const { code } = await errorOf(await ask(POST, request));
      expect(code).toMatch(/^(invalid_json|invalid_request|unknown_template)$/);
    });
    expect(hold).toBeLessThan(HOLD_LIMIT_MS);
    if (process.env.SHOW_FIGURES) console.log(`${name}: ${hold.toFixed(0)} ms`);
  });
});

describe("data for a template's fields", () => {
  let field: Field;

  beforeAll(async () => {
    buildFonts();
    const { templates } = await getRegistry();
    const found = templates.flatMap(({ slug, fields }) =>
      Object.entries(fields).flatMap(([name, { type }]) => (type === "text" ? [{ slug, name }] : [])),
    );
    field = found[0] ?? expect.fail("no template has a text field");
    return () => shutDown();
  });

  it.each(Object.keys(DATA))("of %s is refused in bounded time and with a bounded answer", async (name) => {
    const body = Buffer.from(`{"template":"${field.slug}","data":${DATA[name]?.(field)}}`);
    expect(body.length).toBeLessThanOrEqual(BODY_BYTES);
    const request = postRequest({ body });
    let response = new Response();
    const startedAt = processorMs();
    const hold = await longestHold(async () => {
      response = await ask(POST, request);
    });
    expect(processorMs() - startedAt).toBeLessThan(SOON_MS);
    expect(hold).toBeLessThan(HOLD_LIMIT_MS);
    expect(Number(response.headers.get("content-length"))).toBeLessThan(ANSWER_LIMIT_BYTES);
    expect((await errorOf(response)).code).toBe("invalid_data");
    if (process.env.SHOW_FIGURES) console.log(`${name}: ${hold.toFixed(0)} ms`);
  });
});
