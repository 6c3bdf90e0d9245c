import { redirect } from "next/navigation";
import { z } from "zod";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { User } from "#lib/schemas/user.ts";
import { GET as getUsers } from "../../api/service/users/route.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { requireAdministrator } from "../../ui/guards.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { readWithHeaders } from "../../ui/read.ts";
import { page, pageMetadata } from "../../ui/serve-page.tsx";
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

/** Guarded as the page is: the title of a page that is nobody's would be told to everyone. */
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

/** Says how many there are, also to those who hear it. */
function Count({ total, search }: { total: number; search: string }) {
  const people = total === 1 ? "1 user" : `${total.toLocaleString("en")} users`;
  return (
    <p role="status" className="mb-3 text-soft text-sm tabular-nums [overflow-wrap:anywhere]">
      {search === "" ? people : `${people} matching “${search}”`}
    </p>
  );
}

/** Everyone who may sign in. */
async function Users(props: PageProps) {
  const { listing, viewer } = await guard(props);
  const { users, total, pageCount } = await readUsers(listing);
  if (listing.page > pageCount) redirect(listingHref({ ...listing, page: pageCount }));
  return (
    <>
      <PageHeader title="Users" lead="Everyone who may sign in here, and what they may do." actions={<CreateUser />} />
      <SearchForm listing={listing} />
      <Count total={total} search={listing.search} />
      {users.length === 0 ? (
        <EmptyState title="Nobody matches." action={<LinkButton href="/users">Show everyone</LinkButton>}>
          The search looks for a part of the name or the email, letter by letter.
        </EmptyState>
      ) : (
        <UserTable users={users} listing={listing} viewerId={viewer.id} />
      )}
      <Pagination page={listing.page} pageCount={pageCount} hrefOf={(page) => listingHref({ ...listing, page })} />
    </>
  );
}

export default page(Users);
