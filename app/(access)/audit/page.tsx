import { requireAdministrator } from "../../ui/guards.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { page, pageMetadata } from "../../ui/serve-page.tsx";
import { AuditList } from "./audit-list.tsx";
import { ChoosePerson } from "./choose-person.tsx";
import { auditHref, type Filter } from "./filter.ts";
import { FilterForm } from "./filter-form.tsx";
import { Nothing } from "./nothing.tsx";
import { findPerson, type Person } from "./person.ts";
import { readEntries } from "./read-entries.ts";
import { type Parameters, readFilter } from "./read-filter.ts";
import type { Entry } from "./sentence.ts";
import { Turn } from "./turn.tsx";

type PageProps = { searchParams: Promise<Parameters> };

async function guard({ searchParams }: PageProps): Promise<Filter> {
  const filter = readFilter(await searchParams);
  await requireAdministrator(auditHref(filter));
  return filter;
}

/** Guarded as the page is: the title of a page that is nobody's would be told to everyone. */
export const generateMetadata = pageMetadata(async (props: PageProps) => {
  await guard(props);
  return { title: "Audit trail" };
});

/** A deleted user is still called what the entries say. */
function nameOf({ id, email }: Extract<Person, { kind: "one" }>, entries: Entry[]): string {
  if (email !== undefined) return email;
  const named = entries.map(({ actor, subject }) =>
    actor?.id === id ? actor.email : subject?.id === id ? subject.name : null,
  );
  const name = named.find((known) => known !== null);
  return name ? `${name} (deleted)` : "Nobody that is known";
}

async function trail(filter: Filter, person: Exclude<Person, { kind: "several" }>) {
  const user = person.kind === "one" ? person.id : "";
  const { entries, older, newer } = await readEntries({ ...filter, user });
  const chosen = person.kind === "one" ? { id: person.id, name: nameOf(person, entries) } : undefined;
  return (
    <>
      <FilterForm action={filter.action} chosen={chosen} typed="" />
      {entries.length === 0 ? (
        <Nothing filter={filter} isFiltered={user !== "" || filter.action !== ""} />
      ) : (
        <AuditList entries={entries} />
      )}
      <Turn filter={{ ...filter, user }} older={older} newer={newer} />
    </>
  );
}

/** What has happened, the newest first. */
async function Audit(props: PageProps) {
  const filter = await guard(props);
  const person = await findPerson(filter.user);
  return (
    <>
      <PageHeader title="Audit trail" lead="Who did what to whom, the newest first. Secrets are never part of it." />
      {person.kind === "several" ? (
        <>
          <FilterForm action={filter.action} chosen={undefined} typed={filter.user} />
          <ChoosePerson {...person} typed={filter.user} action={filter.action} />
        </>
      ) : (
        await trail(filter, person)
      )}
    </>
  );
}

export default page(Audit);
