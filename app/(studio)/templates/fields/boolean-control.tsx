import { Switch } from "../../../ui/switch.tsx";
import type { ControlProps, DeclarationOf } from "./control.ts";

export function BooleanControl({ value, onChange, frame }: ControlProps<DeclarationOf<"boolean">>) {
  const { label, help, error, counter } = frame;
  return (
    <div className="flex items-start justify-between gap-3 py-1.5">
      <Switch label={label} help={help} error={error} checked={value === true} onCheckedChange={onChange} />
      <span className="text-xs">{counter}</span>
    </div>
  );
}
