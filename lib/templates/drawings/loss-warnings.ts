import type { Issue } from "#lib/errors.ts";
import { leafPointer, leavesOf } from "../lists/leaf-fields.ts";
import type { FieldValues, Template } from "../template.ts";
import type { DrawingLoss } from "./drawing.ts";

type Drawn = { template: Template; values: FieldValues; document: { losses: DrawingLoss[] } };

/** The worst loss of each field's drawings. */
export function lossesByField({ template, values, document }: Drawn): { id: string; loss: DrawingLoss }[] {
  return leavesOf(template.fields, values).flatMap(({ id, value }) => {
    const losses = document.losses.filter((loss) => loss.value === value);
    const [loss] = losses.toSorted((a, b) => a.shown / a.of - b.shown / b.of);
    return loss ? { id, loss } : [];
  });
}

export function lossWarnings(drawn: Drawn): Issue[] {
  return lossesByField(drawn).map(({ id, loss: { code, shown, of, unit, hint } }) => ({
    path: leafPointer(id),
    code,
    message: `${code === "text_cut" ? "Cut to fit: " : ""}${shown} of ${of} ${unit} are shown, ${hint}.`,
  }));
}
