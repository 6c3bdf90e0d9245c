import { expect, it } from "vitest";
import { keptInPage } from "#lib/type/kept-in-page.ts";

it("evaluates an expression once, and gives the same value to later documents of the page", () => {
  const expression = keptInPage("test", "({ documents: 0 })");
  const window = {};
  const [first, second] = [1, 2].map(
    () => new Function("window", `return ++${expression}.documents`)(window) as number,
  );
  expect([first, second]).toEqual([1, 2]);
});
