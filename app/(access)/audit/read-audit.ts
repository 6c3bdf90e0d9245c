import { headers } from "next/headers";
import { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { call } from "#lib/http/route/call.ts";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { AuditPage } from "#lib/schemas/audit.ts";
import { comparableEmail, USERS_PER_PAGE_MAX, User } from "#lib/schemas/user.ts";
import { GET as getAudit } from "../../api/service/audit/route.ts";
import { GET as getUser } from "../../api/service/users/[id]/route.ts";
import { GET as getUsers } from "../../api/service/users/route.ts";
import type { Viewer } from "../../ui/page/guards.ts";
import { read, readWithHeaders } from "../../ui/page/read.ts";
import { isId } from "./filter.ts";

/** How many matches of a search are offered. */
const MAX_CHOICES = 8;

/**
 * Whose entries are shown: those of everyone, of one user (who may be deleted), or of none until the reader has chosen.
 */
export type Person =
  | { kind: "everyone" }
  | { kind: "one"; id: string; email: string | undefined }
  | { kind: "several"; users: Viewer[]; total: number };

async function emailOf(id: string): Promise<string | undefined> {
  try {
    return (await call(getUser, { returns: User, params: { id }, headers: await headers() })).email;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Finds a user by id, or by a part of an email or name. @throws AppError as the routes of users do */
export async function findPerson(text: string): Promise<Person> {
  if (text === "") return { kind: "everyone" };
  if (isId(text)) return { kind: "one", id: text, email: await emailOf(text) };
  // A complete email can be part of many others that sort before it.
  const query = { search: text, sort: "email", limit: String(USERS_PER_PAGE_MAX) };
  const { value: users, headers: answered } = await readWithHeaders(getUsers, { returns: z.array(User), query });
  const match =
    users.find(({ email }) => email === comparableEmail(text)) ?? (users.length === 1 ? users[0] : undefined);
  if (match) return { kind: "one", id: match.id, email: match.email };
  return { kind: "several", users: users.slice(0, MAX_CHOICES), total: Number(answered.get(TOTAL_HEADER)) };
}

const ENTRIES_PER_PAGE = 50;

type EntryQuery = {
  action: string;
  user: string;
  since: string;
  until: string;
  before?: string;
  after?: string;
  limit?: number;
};

function readPage({ limit = ENTRIES_PER_PAGE, ...query }: EntryQuery) {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  return read(getAudit, { returns: AuditPage, query: { ...Object.fromEntries(given), limit: String(limit) } });
}

/**
 * Reads one page. When a page of newer entries is not full, it is the newest, and a full page is read instead.
 * @returns the entries, and the cursors of the pages of older and newer entries; `null` where there is none
 */
export async function readEntries(query: Required<Omit<EntryQuery, "limit">>) {
  const { before, after, ...rest } = query;
  const asked = await readPage(after === "" ? { ...rest, before } : { ...rest, after });
  const isNewest = after !== "" && asked.entries.length < ENTRIES_PER_PAGE;
  const { entries, next } = isNewest ? await readPage(rest) : asked;
  const newest = entries[0];
  const hasNewer = (before !== "" || after !== "") && !isNewest && newest;
  const newer = hasNewer ? await readPage({ ...rest, after: newest.id, limit: 1 }) : { entries: [] };
  return { entries, older: next, newer: newer.entries.length > 0 ? (newest?.id ?? "") : null };
}
