"use client";

import { useId } from "react";
import type { ListDeclaration, SimpleDeclaration } from "#lib/templates/fields/field-types.ts";
import { Button } from "../../../ui/form/button.tsx";
import { FieldGroup } from "../../../ui/form/field-group.tsx";
import type { EditValue } from "../edits.ts";
import type { Control, ControlProps } from "./control.ts";
import { CONTROLS, isShort } from "./controls.tsx";
import { DeclaredLabel } from "./declared-label.tsx";
import { itemWords, type ListItem, mostItems, readItems, useListItems } from "./list-items.ts";

/** What the service says about a value below the list, such as `/2/name`. */
type Says = (path: string) => string | undefined;

type ListProps = ControlProps<ListDeclaration> & { errorAt: Says; warningAt: Says };

type ItemFieldProps = Pick<
  ListProps,
  "declaration" | "acceptsAddresses" | "availableBytes" | "errorAt" | "warningAt"
> & {
  index: number;
  values: ListItem;
  /** The item before it, whose currency a first amount has too. */
  previous: ListItem | undefined;
  onEdit: (name: string, value: EditValue) => void;
};

function ItemFields(props: ItemFieldProps) {
  const { declaration, index, values, previous, onEdit, errorAt, warningAt, ...rest } = props;
  return (
    <div className="grid grid-cols-1 items-start gap-x-4 gap-y-4 px-3 pt-1 pb-4 @md:grid-cols-2">
      {Object.entries(declaration.item).map(([name, declaration]) => {
        // TypeScript cannot infer that the control matches the type of the declaration.
        const FieldControl = CONTROLS[declaration.type] as unknown as Control<SimpleDeclaration["type"]>;
        const path = `/${index}/${name}`;
        const ownDefault = declaration.default as EditValue | undefined;
        const base = declaration.type === "money" ? (ownDefault ?? previous?.[name]) : ownDefault;
        return (
          <div key={name} className={`min-w-0 ${isShort(declaration) ? "" : "@md:col-span-2"}`}>
            <FieldControl
              {...rest}
              declaration={declaration}
              value={values[name] ?? ownDefault}
              base={{ value: base, isOwnImage: false }}
              onChange={(value) => onEdit(name, value)}
              frame={{
                name: `${index}.${name}`,
                label: <DeclaredLabel declaration={declaration} />,
                help: declaration.description,
                error: errorAt(path),
                warning: warningAt(path),
              }}
            />
          </div>
        );
      })}
    </div>
  );
}

const ARROWS = { "-1": "M8 13V3M3.5 7.5 8 3l4.5 4.5", "1": "M8 3v10M3.5 8.5 8 13l4.5-4.5" };
const CHEVRON = "m6 3.5 4.5 4.5L6 12.5";
const CROSS = "m4 4 8 8m0-8-8 8";

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 fill-none stroke-[1.5] stroke-current">
      <path d={path} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

type ItemHeadProps = {
  label: string;
  index: number;
  count: number;
  isOpen: boolean;
  /** The id of what it opens. */
  controls: string;
  onToggle: () => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

function ItemHead({ label, index, count, isOpen, controls, onToggle, onMove, onRemove }: ItemHeadProps) {
  const name = label === "" ? `item ${index + 1}` : label;
  const isAtEnd = (by: 1 | -1) => (by === -1 ? index === 0 : index === count - 1);
  return (
    <div className="flex items-center gap-0.5 pr-1">
      <button
        type="button"
        data-toggle=""
        aria-expanded={isOpen}
        aria-controls={controls}
        onClick={onToggle}
        className="group flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded-md px-2.5 text-left text-sm"
      >
        <span className="flex-none text-soft transition-transform group-aria-expanded:rotate-90 motion-reduce:transition-none">
          <Icon path={CHEVRON} />
        </span>
        <span className="flex-none text-soft text-xs tabular-nums">{index + 1}</span>
        <bdi className={`truncate ${label === "" ? "text-soft" : "font-medium"}`}>{label === "" ? "Empty" : label}</bdi>
      </button>
      {([-1, 1] as const).map((by) => (
        <Button
          key={by}
          size="small"
          tone="quiet"
          data-move={by}
          aria-label={`Move ${name} ${by === -1 ? "up" : "down"}`}
          // Not `disabled`, which would lose the focus when the item arrives at the end.
          aria-disabled={isAtEnd(by)}
          onClick={() => onMove(by)}
          className="aria-disabled:opacity-40"
        >
          <Icon path={ARROWS[by]} />
        </Button>
      ))}
      <Button size="small" tone="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon path={CROSS} />
      </Button>
    </div>
  );
}

/** Items that are added, removed, moved and edited, each with the controls of its fields. */
export function ListControl(props: ListProps) {
  const { declaration, value, onChange, frame, errorAt } = props;
  const id = useId();
  const items = readItems(value);
  const list = useListItems({ declaration, items, onChange: (next) => onChange(next) });
  const isFull = items.length >= mostItems(declaration);
  const counter = (
    <>
      {frame.counter}
      <span className={items.length > mostItems(declaration) ? "font-medium text-danger" : ""}>
        {items.length} / {declaration.max}
        <span className="sr-only"> items</span>
      </span>
    </>
  );
  return (
    <FieldGroup groupRef={list.root} frame={{ ...frame, counter }}>
      {() => (
        <>
          <ol className="flex flex-col divide-y divide-line rounded-md border border-edge bg-surface empty:hidden">
            {items.map((values, index) => {
              const key = list.keys[index] ?? index;
              const hasNote = Object.keys(declaration.item).some((name) => errorAt(`/${index}/${name}`) !== undefined);
              const isOpen = hasNote || list.open.has(key);
              const own = errorAt(`/${index}`);
              return (
                <li key={key} data-item={key} className="min-w-0">
                  <ItemHead
                    label={itemWords(declaration, values)}
                    index={index}
                    count={items.length}
                    isOpen={isOpen}
                    controls={`${id}-${key}`}
                    onToggle={() => list.toggle(index)}
                    onMove={(by) => list.move(index, by)}
                    onRemove={() => list.remove(index)}
                  />
                  {own !== undefined && <p className="px-3 pb-2 text-danger text-sm">{own}</p>}
                  <div id={`${id}-${key}`} hidden={!isOpen}>
                    {isOpen && (
                      <ItemFields
                        {...props}
                        index={index}
                        values={values}
                        previous={items[index - 1]}
                        onEdit={(name, next) => list.edit(index, name, next)}
                      />
                    )}
                  </div>
                </li>
              );
            })}
          </ol>
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button
              size="small"
              data-add=""
              aria-disabled={isFull}
              onClick={() => !isFull && list.add()}
              className="aria-disabled:opacity-55"
            >
              Add an item
            </Button>
            {isFull && <span className="text-soft text-sm">No more items fit.</span>}
          </div>
          <p role="status" className="sr-only">
            {list.message}
          </p>
        </>
      )}
    </FieldGroup>
  );
}
