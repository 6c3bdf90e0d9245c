import { expect, it, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { judge } from "#lib/proof/judge.ts";
import { examineTemplate } from "#lib/render/render-template.ts";

vi.mock("#lib/render/render-template.ts");

const CELL = { template: "card", variant: "plain", content: "own", data: {} };

it.each(["render_timeout", "render_failed"] as const)(
  "a picture that ends in %s is a fault of its own",
  async (code) => {
    vi.mocked(examineTemplate).mockRejectedValueOnce(new AppError(code, "It took too long."));
    const { verdict, png } = await judge(CELL, {});
    expect(verdict.faults).toEqual([{ kind: "not-drawn", field: "", message: "It took too long." }]);
    expect(png).toBeUndefined();
  },
);

it.each(["overloaded", "misconfigured", "unavailable"] as const)(
  "%s concerns every picture, and is thrown",
  async (code) => {
    const error = new AppError(code, "Not now.");
    vi.mocked(examineTemplate).mockRejectedValueOnce(error);
    await expect(judge(CELL, {})).rejects.toBe(error);
  },
);
