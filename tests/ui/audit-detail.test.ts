import { expect, it } from "vitest";
import { detailTerm } from "../../app/(access)/audit/detail-term.ts";

it("what an act has set is told from what it has counted, whatever a later act may keep", () => {
  expect(["role", "constructor", "sessions"].map(detailTerm)).toEqual([
    "Set role",
    "Set constructor",
    "Sessions ended",
  ]);
});
