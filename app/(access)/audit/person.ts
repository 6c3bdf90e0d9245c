import { headers } from "next/headers";
import { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { call } from "#lib/http/route/call.ts";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { USERS_PER_PAGE_MAX, User } from "#lib/schemas/user.ts";
import { GET as getUser } from "../../api/service/users/[id]/route.ts";
import { GET as getUsers } from "../../api/service/users/route.ts";
import { readWithHeaders } from "../../ui/read.ts";
import type { Viewer } from "../../ui/viewer.ts";
import { isId } from "./read-filter.ts";

/** More than that are better found by typing on. */
const CHOICES = 8;

/** Whom the trail is to be of: everyone, one user who may be gone since, or several to choose from. */
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

/** Finds whom an id or a part of an email or a name means. @throws AppError as the routes of users */
export async function findPerson(text: string): Promise<Person> {
  if (text === "") return { kind: "everyone" };
  if (isId(text)) return { kind: "one", id: text, email: await emailOf(text) };
  // A whole email may be part of many others, which come before it.
  const query = { search: text, sort: "email", limit: String(USERS_PER_PAGE_MAX) };
  const { value: users, headers: answered } = await readWithHeaders(getUsers, { returns: z.array(User), query });
  const meant = users.find(({ email }) => email === text.toLowerCase()) ?? (users.length === 1 ? users[0] : undefined);
  if (meant) return { kind: "one", id: meant.id, email: meant.email };
  return { kind: "several", users: users.slice(0, CHOICES), total: Number(answered.get(TOTAL_HEADER)) };
}
