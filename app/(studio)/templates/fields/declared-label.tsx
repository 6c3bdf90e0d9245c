import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";

/** The label of a field, with a mark where a value is required. */
export function DeclaredLabel({ declaration: { label, required } }: { declaration: FieldDeclaration }) {
  if (!required) return label;
  return (
    <>
      {label}
      <span aria-hidden="true" className="ml-0.5 text-accent">
        *
      </span>
      <span className="sr-only"> (required)</span>
    </>
  );
}
