import { Cross } from "../../ui/content/icons.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LinkButton } from "../../ui/form/button.tsx";
import { QueryForm } from "../../ui/form/query-form.tsx";
import { Select } from "../../ui/form/select.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import type { Viewer } from "../../ui/page/guards.ts";
import { PageLink } from "../../ui/page/page-link.tsx";
import { auditHref, type Filter } from "./filter.ts";
import { ACTION_OPTIONS } from "./sentence.ts";

type FilterFormProps = {
  filter: Filter;
  /** The chosen user. */
  chosen: { id: string; name: string } | undefined;
  /** The search for a user. */
  typed: string;
};

/** The chosen user, with a link that removes the filter. */
function ChosenUser({ filter, chosen: { id, name } }: { filter: Filter; chosen: { id: string; name: string } }) {
  const { action, since, until } = filter;
  return (
    <div className="flex min-w-0 flex-col gap-1.5 max-sm:w-full">
      <span className="font-medium text-sm">User</span>
      <span className="flex min-h-10 items-center gap-2 rounded-md border border-line bg-surface pr-1 pl-3 text-[0.9375rem]">
        <input type="hidden" name="user" value={id} />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <PageLink
          href={auditHref({ action, since, until })}
          aria-label={`Remove the filter for ${name}`}
          className="grid size-8 flex-none place-items-center rounded-md text-soft hover:text-ink"
        >
          <Cross />
        </PageLink>
      </span>
    </div>
  );
}

/** Filters the audit trail. It works without scripts too. */
export function FilterForm({ filter, chosen, typed }: FilterFormProps) {
  const { action, since, until } = filter;
  return (
    // The inputs are uncontrolled: a new key gives them the values of the new filter.
    <QueryForm
      key={`${action} ${chosen?.id} ${typed} ${since} ${until}`}
      action="/audit"
      submit="Show"
      className="mb-8 flex flex-wrap items-end gap-3"
    >
      <Select label="Action" name="action" defaultValue={action} options={ACTION_OPTIONS} className="w-full sm:w-72" />
      {chosen ? (
        <ChosenUser filter={filter} chosen={chosen} />
      ) : (
        <TextField
          label="User"
          name="user"
          type="search"
          defaultValue={typed}
          placeholder="Email or name"
          autoComplete="off"
          spellCheck={false}
          className="min-w-[min(12rem,100%)] flex-1 sm:max-w-80"
        />
      )}
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:flex-col">
        <TextField label="From (UTC)" name="since" type="date" defaultValue={since} className="w-full sm:w-40" />
        <TextField label="To (UTC)" name="until" type="date" defaultValue={until} className="w-full sm:w-40" />
      </div>
    </QueryForm>
  );
}

type ChoosePersonProps = { users: Viewer[]; total: number; filter: Filter };

/** Replaces the trail when a search finds several users, or none. */
export function ChoosePerson({ users, total, filter }: ChoosePersonProps) {
  const { user: typed, action, since, until } = filter;
  if (users.length === 0)
    return (
      <EmptyState
        title={`No user found for “${typed}”`}
        action={<LinkButton href={auditHref({ action, since, until })}>Show all users</LinkButton>}
      >
        To find a deleted user, open an entry about them and follow the link in its details.
      </EmptyState>
    );
  return (
    <section aria-labelledby="whom">
      <h2 id="whom" className="font-semibold text-lg">
        Which user?
      </h2>
      <p className="mt-1 text-soft">
        {total.toLocaleString("en")} users match “{typed}”
        {total > users.length && `; these are the first ${users.length}`}.
      </p>
      <ul className="mt-4 max-w-xl">
        {users.map(({ id, email, name }) => (
          <li key={id} className="border-line border-b py-2.5 [overflow-wrap:anywhere]">
            <PageLink href={auditHref({ user: id, action, since, until })} className="link">
              {email}
            </PageLink>
            <span className="ml-3 text-soft">{name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
