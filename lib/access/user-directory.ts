import { asc, count, desc, or, type SQL, sql } from "drizzle-orm";
import { type Database, query } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { comparableEmail, type UserSortKey } from "#lib/schemas/user.ts";
import { inSlices } from "#lib/slices.ts";
import { ROWS_PER_PAGE } from "./access-limits.ts";
import { USER_COLUMNS, type UserRecord } from "./actor.ts";

type UserFilter = {
  /** Part of an email or a name, in any case. */
  search?: string | undefined;
  sort?: UserSortKey | `-${UserSortKey}` | undefined;
  /** Starts at 1. Without `page` and `limit` all users are returned. */
  page?: number | undefined;
  limit?: number | undefined;
};

/** Equal values are ordered by id, so that no user is on two pages or on none. */
const SORTED_BY: Record<UserSortKey, SQL> = {
  email: sql`lower(${users.email})`,
  name: sql`lower(${users.name})`,
  createdAt: sql`${users.createdAt}`,
  lastLoginAt: sql`${users.lastLoginAt}`,
  role: sql`${users.role}`,
  status: sql`${users.status}`,
};

/** Users who have never signed in come before all others in ascending order. */
function orderOf(sort: NonNullable<UserFilter["sort"]>): SQL[] {
  const isDescending = sort.startsWith("-");
  const key = (isDescending ? sort.slice(1) : sort) as UserSortKey;
  const by = SORTED_BY[key];
  if (key === "lastLoginAt")
    return isDescending ? [sql`${by} desc nulls last`, desc(users.id)] : [sql`${by} nulls first`, asc(users.id)];
  return isDescending ? [desc(by), desc(users.id)] : [asc(by), asc(users.id)];
}

/**
 * `strpos` instead of `like`, which has wildcard characters. An email is found by what its user types at the sign-in too, such as
 * `ΟΔΟΣ@…` for `οδος@…`.
 */
function matching(search: string | undefined): SQL | undefined {
  if (!search) return undefined;
  const contains = (column: SQL, text: string) => sql`strpos(${column}, lower(${text})) > 0`;
  const { email, name } = SORTED_BY;
  return or(contains(email, search), contains(email, comparableEmail(search)), contains(name, search));
}

/** A row as the driver returns it, by column. */
type UserRow = Record<string, unknown>;

const COLUMNS = Object.entries(USER_COLUMNS);

function toUser(row: UserRow): UserRecord {
  const user: Record<string, unknown> = {};
  for (const [key, column] of COLUMNS) {
    const value = row[column.name];
    user[key] = value === null ? null : column.mapFromDriverValue(value);
  }
  return user as UserRecord;
}

/** All users. There may be tens of thousands, and drizzle would convert them in one turn of the event loop. */
async function toUsers(rows: readonly UserRow[]): Promise<UserRecord[]> {
  const found: UserRecord[] = [];
  for await (const slice of inSlices(rows)) found.push(...slice.map(toUser));
  return found;
}

async function countUsers(db: Database, condition: SQL | undefined): Promise<number> {
  const [row] = await db.select({ total: count() }).from(users).where(condition);
  return row?.total ?? 0;
}

/**
 * A page of users, or all of them.
 * @returns `total`: the number of users on all pages
 * @throws AppError `unavailable`
 */
export async function findUsers(filter: UserFilter): Promise<{ users: UserRecord[]; total: number }> {
  const { search, sort = "createdAt", page, limit } = filter;
  const condition = matching(search);
  const select = (db: Database) =>
    db
      .select(USER_COLUMNS)
      .from(users)
      .where(condition)
      .orderBy(...orderOf(sort));
  if (page === undefined && limit === undefined) {
    const everyone = await toUsers(await query((db) => db.execute<UserRow>(select(db).getSQL())));
    return { users: everyone, total: everyone.length };
  }
  const rows = limit ?? ROWS_PER_PAGE;
  return await query(async (db) => ({
    users: await select(db)
      .limit(rows)
      .offset(((page ?? 1) - 1) * rows),
    total: await countUsers(db, condition),
  }));
}
