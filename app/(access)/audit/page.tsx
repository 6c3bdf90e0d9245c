import { requireAdministrator } from "../../ui/page/guards.ts";
import { PageHeader } from "../../ui/page/page-layout.tsx";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { AuditList, AuditPagination, NoEntries } from "./audit-list.tsx";
import { ExportLinks } from "./export-links.tsx";
import { auditHref, type Filter, type Parameters, readFilter } from "./filter.ts";
import { ChoosePerson, FilterForm } from "./filter-form.tsx";
import { findPerson, type Person, readEntries } from "./read-audit.ts";
import type { Entry } from "./sentence.ts";

type PageProps = { searchParams: Promise<Parameters> };

async function guard({ searchParams }: PageProps): Promise<Filter> {
  const filter = readFilter(await searchParams);
  await requireAdministrator(auditHref(filter));
  return filter;
}

export const generateMetadata = pageMetadata(async (props: PageProps) => {
  await guard(props);
  return { title: "Audit trail" };
});

/** The email of a user. For a deleted one, the name in the entries. */
function nameOf({ id, email }: Extract<Person, { kind: "one" }>, entries: Entry[]): string {
  if (email !== undefined) return email;
  const named = entries.map(({ actor, subject }) =>
    actor?.id === id ? actor.email : subject?.id === id ? subject.name : null,
  );
  const name = named.find((known) => known !== null);
  return name ? `${name} (deleted)` : "Unknown user";
}

async function readTrail(filter: Filter, person: Exclude<Person, { kind: "several" }>) {
  const user = person.kind === "one" ? person.id : "";
  const { entries, older, newer } = await readEntries({ ...filter, user });
  const chosen = person.kind === "one" ? { id: person.id, name: nameOf(person, entries) } : undefined;
  return (
    <>
      <FilterForm filter={filter} chosen={chosen} typed="" />
      {entries.length === 0 ? (
        <NoEntries filter={filter} isFiltered={auditHref({ ...filter, user }) !== "/audit"} />
      ) : (
        <AuditList entries={entries} />
      )}
      <AuditPagination filter={{ ...filter, user }} older={older} newer={newer} />
    </>
  );
}

async function Audit(props: PageProps) {
  const filter = await guard(props);
  const person = await findPerson(filter.user);
  return (
    <>
      <PageHeader
        title="Audit trail"
        lead="Every sign-in and every change of a user, password or token, newest first. It never contains secrets."
        actions={
          person.kind !== "several" && (
            <ExportLinks filter={{ ...filter, user: person.kind === "one" ? person.id : "" }} />
          )
        }
      />
      {person.kind === "several" ? (
        <>
          <FilterForm filter={filter} chosen={undefined} typed={filter.user} />
          <ChoosePerson {...person} filter={filter} />
        </>
      ) : (
        await readTrail(filter, person)
      )}
    </>
  );
}

export default page(Audit);
