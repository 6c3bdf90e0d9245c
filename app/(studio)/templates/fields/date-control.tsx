import { useId, useState, useSyncExternalStore } from "react";
import { TextField } from "../../../ui/form/text-field.tsx";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";
import { type GroupInput, InputGroup } from "./input-group.tsx";
import { joinMoment, splitMoment } from "./moment.ts";

const subscribeToNothing = () => () => undefined;
const NO_ZONES: string[] = [];
let zones: string[] | undefined;

/** The names of zones that the browser knows, which may be others than those of the server. */
function useZones(): string[] {
  return useSyncExternalStore(
    subscribeToNothing,
    () => {
      zones ??= Intl.supportedValuesOf("timeZone");
      return zones;
    },
    () => NO_ZONES,
  );
}

/** The type and the last moment of an input for days, or for times. Without the latter, browsers accept years of six digits. */
export function momentInput({ time }: { time: boolean }) {
  return time ? { type: "datetime-local", max: "9999-12-31T23:59" } : { type: "date", max: "9999-12-31" };
}

/** The zone beside a time. It is kept while there is no time, which no value could name it without. */
export function useZone(text: string) {
  const [kept, setKept] = useState("");
  return { zone: text === "" ? kept : splitMoment(text).zone, keep: setKept };
}

/** An input for the zone of times, with the declared one where none is given. */
export function useZoneInput(own: string, zone: string, onChange: (zone: string) => void) {
  const id = useId();
  const names = useZones();
  const input: GroupInput = {
    caption: "Time zone",
    value: zone,
    list: id,
    placeholder: own,
    onChange: ({ target }) => onChange(target.value.trim()),
  };
  const list = (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
  return { input, list };
}

type DateProps = ControlProps<DeclarationOf<"date">>;

function ZonedControl({ declaration, own, value, onChange, frame }: DateProps & { own: string }) {
  const text = asText(value);
  const { local } = splitMoment(text);
  const { zone, keep } = useZone(text);
  const change = (next: { local: string; zone: string }) => {
    keep(next.zone);
    onChange(joinMoment(next));
  };
  const zoneInput = useZoneInput(own, zone, (next) => change({ local, zone: next }));
  return (
    <InputGroup
      frame={frame}
      inputs={[
        {
          ...momentInput(declaration),
          caption: "Date and time",
          className: "min-w-0 flex-1 basis-48",
          value: local,
          "aria-required": declaration.required,
          onChange: ({ target }) => change({ local: target.value, zone }),
        },
        zoneInput.input,
      ]}
    >
      {zoneInput.list}
    </InputGroup>
  );
}

/** A day, or a time with its zone where the template declares one. */
export function DateControl(props: DateProps) {
  const { declaration, value, onChange, frame } = props;
  if (declaration.zone !== undefined) return <ZonedControl {...props} own={declaration.zone} />;
  return (
    <TextField
      {...frame}
      {...momentInput(declaration)}
      value={splitMoment(asText(value)).local}
      aria-required={declaration.required}
      onChange={({ target }) => onChange(splitMoment(target.value).local)}
    />
  );
}
