import type { UserSortKey } from "#lib/schemas/user.ts";
import { Badge } from "../../ui/content/badge.tsx";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import type { Viewer } from "../../ui/page/guards.ts";
import { PageLink } from "../../ui/page/page-link.tsx";
import { Cell, type Column, Row, Table } from "../../ui/table/table.tsx";
import { directionOf, type Listing, listingHref, nextSort } from "./listing.ts";

export function RoleBadge({ role }: Pick<Viewer, "role">) {
  return role === "admin" ? <Badge tone="info">Administrator</Badge> : <Badge>User</Badge>;
}

export function StatusBadge({ status }: Pick<Viewer, "status">) {
  return status === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>;
}

/** Hides a column in tables of middle width. */
const WIDE_ONLY = "sm:max-lg:hidden";

const COLUMNS: { key: UserSortKey; name: string; className?: string }[] = [
  { key: "name", name: "Name", className: "sm:w-[18%] lg:w-[22%]" },
  { key: "email", name: "Email" },
  { key: "role", name: "Role", className: "sm:w-32" },
  { key: "status", name: "Status", className: "sm:w-29" },
  { key: "lastLoginAt", name: "Last sign-in", className: "sm:w-29 lg:w-32" },
  { key: "createdAt", name: "Created", className: `${WIDE_ONLY} lg:w-30` },
];

function columnsOf(listing: Listing): Column[] {
  return COLUMNS.map(({ key, name, className }) => ({
    name,
    className,
    sorted: directionOf(key, listing.sort),
    href: listingHref({ ...listing, sort: nextSort(key, listing.sort), page: 1 }),
  }));
}

function UserRow({ user, isViewer }: { user: Viewer; isViewer: boolean }) {
  return (
    <Row isFaded={user.status === "deactivated"}>
      <Cell className="max-sm:mb-1 max-sm:justify-start max-sm:text-lg">
        <PageLink
          href={`/users/${user.id}`}
          className="font-medium text-ink decoration-1 underline-offset-4 hover:underline"
        >
          {user.name}
        </PageLink>
        {isViewer && (
          <>
            {" "}
            <Badge>You</Badge>
          </>
        )}
      </Cell>
      <Cell label="Email">{user.email}</Cell>
      <Cell label="Role">
        <RoleBadge role={user.role} />
      </Cell>
      <Cell label="Status">
        <StatusBadge status={user.status} />
      </Cell>
      <Cell label="Last sign-in">
        <TimeAgo moment={user.lastLoginAt} />
      </Cell>
      <Cell label="Created" className={WIDE_ONLY}>
        <TimeAgo moment={user.createdAt} />
      </Cell>
    </Row>
  );
}

/** A page of users, with sortable columns. */
export function UserTable({ users, listing, viewerId }: { users: Viewer[]; listing: Listing; viewerId: string }) {
  return (
    <Table caption="Users" columns={columnsOf(listing)} hasFixedWidths>
      {users.map((user) => (
        <UserRow key={user.id} user={user} isViewer={user.id === viewerId} />
      ))}
    </Table>
  );
}
