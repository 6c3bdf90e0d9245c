import fc from "fast-check";
import { expect, it } from "vitest";
import { withOffsets } from "../../app/ui/content/text-offsets.ts";

it("parts keep their order, and have unique offsets even if they are equal", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom("a", "b") })), (parts) => {
      const found = withOffsets(parts, (part) => part);
      expect(found.map(({ part }) => part)).toEqual(parts);
      for (const { part, offset } of found) expect(parts.join("").startsWith(part, offset)).toBe(true);
      expect(new Set(found.map(({ offset }) => offset)).size).toBe(parts.length);
    }),
  );
});
