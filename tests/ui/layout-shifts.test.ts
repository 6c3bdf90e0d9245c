import type { BrowserContext } from "@playwright/test";
import { expect, it } from "vitest";
import { LayoutShifts } from "#tests/e2e/pages/fixtures/layout-shifts.ts";

type Report = (source: unknown, report: object) => void;

/** A context whose pages the test plays. */
async function watched() {
  const reports = new Map<string, Report>();
  const listeners = new Map<string, (event: unknown) => void>();
  const shifts = new LayoutShifts();
  await shifts.watch({
    on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    exposeBinding: async (name: string, report: Report) => void reports.set(name, report),
    addInitScript: async () => undefined,
  } as unknown as BrowserContext);
  const tell = (name: string, report: object) => reports.get(name)?.({}, report);
  return {
    faults: () => shifts.faults(),
    input: (from: number, document = "first") => tell("reportInput", { document, from, to: from + 500 }),
    shift: (at: number, { value = 0.9, document = "first" } = {}) =>
      tell("reportShift", { document, page: "/", at, value, moved: ["<p>"] }),
    answer: (startTime: number, ms: number, path = "/users?_rsc=1") =>
      listeners.get("requestfinished")?.({
        resourceType: () => "fetch",
        url: () => `http://localhost${path}`,
        timing: () => ({ startTime, responseEnd: ms }),
      }),
  };
}

it("a page that moves by itself is a fault, and one that moves little is none", async () => {
  const page = await watched();
  page.shift(100, { value: 0.03 });
  expect(page.faults()).toEqual([]);
  page.shift(200, { value: 0.03 });
  expect(page.faults()).toEqual(["/ shifted by 0.060: <p>, <p>"]);
});

it.each([
  { what: "shortly after input", at: 1_400, faults: 0 },
  { what: "later", at: 1_600, faults: 1 },
  { what: "before it", at: 900, faults: 1 },
  { what: "shortly after input in another document", at: 1_400, document: "second", faults: 1 },
])("a page that moves $what has $faults faults", async ({ at, faults, document = "first" }) => {
  const page = await watched();
  page.input(1_000);
  page.shift(at, { document });
  expect(page.faults()).toHaveLength(faults);
});

it.each([
  { what: "an answer that the input asked for", answers: [[1_300, 3_000]], at: 4_700, faults: 0 },
  {
    what: "an answer to that answer",
    answers: [
      [1_300, 3_000],
      [4_500, 1_000],
    ],
    at: 5_900,
    faults: 0,
  },
  { what: "an answer to nobody", answers: [[1_600, 3_000]], at: 4_700, faults: 1 },
  {
    what: "the third answer of a row",
    answers: [
      [1_300, 400],
      [2_000, 400],
      [2_700, 400],
    ],
    at: 3_500,
    faults: 1,
  },
  {
    what: "a picture that the input asked for",
    answers: [[1_300, 3_000]],
    path: "/api/service/images/render",
    at: 4_700,
    faults: 1,
  },
])("a page that moves after $what has $faults faults", async ({ answers, path, at, faults }) => {
  const page = await watched();
  page.input(1_000);
  for (const [startTime = 0, ms = 0] of answers) page.answer(startTime, ms, path);
  page.shift(at);
  expect(page.faults()).toHaveLength(faults);
});
