import fc from "fast-check";
import { expect, it } from "vitest";
import { placed } from "../../app/ui/placed.ts";

it("parts have their order, and each a place of its own, however alike they are", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom("a", "b") })), (parts) => {
      const found = placed(parts, (part) => part);
      expect(found.map(({ part }) => part)).toEqual(parts);
      for (const { part, offset } of found) expect(parts.join("").startsWith(part, offset)).toBe(true);
      expect(new Set(found.map(({ offset }) => offset)).size).toBe(parts.length);
    }),
  );
});
