import Form from "next/form";
import Link from "next/link";
import { Button } from "../../ui/button.tsx";
import { Cross } from "../../ui/icons.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ACTION_OPTIONS } from "./actions.ts";
import { auditHref } from "./filter.ts";

type FilterFormProps = {
  action: string;
  /** The user who is chosen, by id and by a name for people. */
  chosen: { id: string; name: string } | undefined;
  /** What was typed to find one. */
  typed: string;
};

/** Whom the trail is of at present, and the way back to everyone. */
function Chosen({ action, chosen: { id, name } }: { action: string; chosen: { id: string; name: string } }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 max-sm:w-full">
      <span className="font-medium text-sm">User</span>
      <span className="flex min-h-10 items-center gap-2 rounded-md border border-line bg-surface pr-1 pl-3 text-[0.9375rem]">
        <input type="hidden" name="user" value={id} />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <Link
          href={auditHref({ action })}
          prefetch={false}
          aria-label={`Show everyone again, not only ${name}`}
          className="grid size-8 flex-none place-items-center rounded-md text-soft hover:text-ink"
        >
          <Cross />
        </Link>
      </span>
    </div>
  );
}

/** Says what part of the trail to show. Without scripts it loads the page anew. */
export function FilterForm({ action, chosen, typed }: FilterFormProps) {
  return (
    // What was typed is another page's, once that has come.
    <Form
      key={`${action} ${chosen?.id} ${typed}`}
      action="/audit"
      prefetch={false}
      className="mb-8 flex flex-wrap items-end gap-3"
    >
      <Select label="Action" name="action" defaultValue={action} options={ACTION_OPTIONS} className="w-full sm:w-72" />
      {chosen ? (
        <Chosen action={action} chosen={chosen} />
      ) : (
        <TextField
          label="User"
          name="user"
          type="search"
          defaultValue={typed}
          placeholder="Email or name"
          autoComplete="off"
          spellCheck={false}
          className="min-w-0 flex-1 sm:max-w-80"
        />
      )}
      <Button type="submit">Show</Button>
    </Form>
  );
}
