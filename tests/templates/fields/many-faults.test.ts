import { beforeEach, expect, test, vi } from "vitest";
import { nearestName } from "#lib/nearest-name.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";

vi.mock("#lib/nearest-name.ts", { spy: true });

beforeEach(() => {
  vi.mocked(nearestName).mockClear();
});

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** An object with unknown keys. */
const strange = (count: number) => Object.fromEntries(many(count, (index) => [`nam${index}`, 1]));

async function readRows(item: object, rows: unknown) {
  const declaration = fieldDeclaration.parse({ type: "list", label: "Rows", max: 5, overflow: "more", item });
  return await readFields({ declarations: { rows: declaration }, values: { rows }, path: "/data" });
}

test("of ten thousand unknown fields in the items of a list, a name is looked for only for those that are reported", async () => {
  const item = { name: { type: "text", label: "Name" } };
  const rows = many(100, () => strange(100));
  const { issues } = await readRows(item, rows);
  expect(issues).toHaveLength(100);
  expect(issues.at(-1)).toMatchObject({ path: "/data/rows/0/nam99", code: "unknown_field" });
  expect(nearestName).toHaveBeenCalledTimes(100);
});

test("a list with a few faults in many items reports them all", async () => {
  const item = { name: { type: "text", label: "Name" } };
  const { issues } = await readRows(item, [strange(2), 5, strange(1), { name: "Ada" }, { names: "Bo" }]);
  expect(issues.map(({ path }) => path)).toEqual(
    ["0/nam0", "0/nam1", "1", "2/nam0", "4/names"].map((place) => `/data/rows/${place}`),
  );
});

test("of the points of a series, ten unknown keys are named in all", async () => {
  const item = { days: { type: "series", label: "Days", maxPoints: 60 } };
  const { issues } = await readRows(item, [{ days: many(60, () => strange(10)) }]);
  expect(issues.length).toBeGreaterThan(0);
  expect(nearestName).toHaveBeenCalledTimes(10);
});
