import { redirect } from "next/navigation";
import { z } from "zod";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { User } from "#lib/schemas/user.ts";
import { GET as getUsers } from "../../api/service/users/route.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LinkButton } from "../../ui/form/button.tsx";
import { requireAdministrator } from "../../ui/page/guards.ts";
import { PageHeader } from "../../ui/page/page-layout.tsx";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { readWithHeaders } from "../../ui/page/read.ts";
import { Pagination } from "../../ui/table/pagination.tsx";
import { CreateUser } from "./create-user.tsx";
import { type Listing, listingHref } from "./listing.ts";
import { type Parameters, readListing } from "./read-listing.ts";
import { SearchForm } from "./search-form.tsx";
import { UserTable } from "./user-table.tsx";

type PageProps = { searchParams: Promise<Parameters> };

async function guard({ searchParams }: PageProps) {
  const listing = readListing(await searchParams);
  return { listing, viewer: await requireAdministrator(listingHref(listing)) };
}

export const generateMetadata = pageMetadata(async (props: PageProps) => {
  await guard(props);
  return { title: "Users" };
});

const USERS_PER_PAGE = 25;

async function readUsers({ search, sort, page }: Listing) {
  const query = { search, sort, page: String(page), limit: String(USERS_PER_PAGE) };
  const { value, headers } = await readWithHeaders(getUsers, { returns: z.array(User), query });
  const total = Number(headers.get(TOTAL_HEADER));
  return { users: value, total, pageCount: Math.max(1, Math.ceil(total / USERS_PER_PAGE)) };
}

/** The number of users, announced when it changes. */
function Count({ total, search }: { total: number; search: string }) {
  const people = total === 1 ? "1 user" : `${total.toLocaleString("en")} users`;
  return (
    <p role="status" className="mb-3 text-soft text-sm tabular-nums [overflow-wrap:anywhere]">
      {search === "" ? people : `${people} matching “${search}”`}
    </p>
  );
}

async function Users(props: PageProps) {
  const { listing, viewer } = await guard(props);
  const { users, total, pageCount } = await readUsers(listing);
  if (listing.page > pageCount) redirect(listingHref({ ...listing, page: pageCount }));
  return (
    <>
      <PageHeader title="Users" lead="Everyone who has an account, and their role." actions={<CreateUser />} />
      <SearchForm listing={listing} />
      <Count total={total} search={listing.search} />
      {users.length === 0 ? (
        <EmptyState title="No matching users" action={<LinkButton href="/users">Show all users</LinkButton>}>
          Search for a part of a name or an email.
        </EmptyState>
      ) : (
        <UserTable users={users} listing={listing} viewerId={viewer.id} />
      )}
      <Pagination page={listing.page} pageCount={pageCount} hrefOf={(page) => listingHref({ ...listing, page })} />
    </>
  );
}

export default page(Users);
