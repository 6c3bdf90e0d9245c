import { eq, sql } from "drizzle-orm";
import { listUnknownLogins } from "#lib/access/login/unknown-logins.ts";
import { deleteUser, updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { addToken, addUser, CALLER, NOBODY, OPERATOR, signIn } from "../../access/people.ts";
import { linkTo } from "../../links/links.ts";
import type { Sent } from "../client.ts";

export type World = {
  /** The request of each column of the access table. */
  columns: Map<string, Sent>;
  /** The ids that `own`, `other` and `nobody` stand for. */
  ids: Record<"tokens" | "users" | "sessions" | "unknown-logins", Map<string, string>>;
  /** The slug of a template. */
  slug: string;
};

async function endedSession(name: string, end: (id: string, sessionId: string) => Promise<unknown>): Promise<Sent> {
  const user = await addUser(name);
  const { secret, actor } = await signIn(user);
  await end(user.id, actor.sessionId);
  return { session: secret };
}

function expire(id: string): Promise<unknown> {
  const expiresAt = sql`now() - interval '1 second'`;
  return query((db) => db.update(sessions).set({ expiresAt }).where(eq(sessions.id, id)));
}

/** Creates the callers of the columns and the records that the paths name. */
export async function populate(slug: string): Promise<World> {
  const admin = await signIn(await addUser("admin", "admin"));
  const user = await signIn(await addUser("user"));
  const other = await signIn(await addUser("other"));
  const elsewhere = await signIn(user.actor.user);
  const othersElsewhere = await signIn(other.actor.user);
  const [token, othersToken] = [await addToken(user.actor), await addToken(other.actor)];
  const deactivate = (id: string) =>
    updateUser({ actor: OPERATOR, id, changes: { status: "deactivated" }, caller: CALLER });
  const columns: [string, Sent][] = [
    ["anonymous", {}],
    ["user", { session: user.secret }],
    ["administrator", { session: admin.secret }],
    ["token", { token: token.token }],
    ["expired", await endedSession("expired", (_id, sessionId) => expire(sessionId))],
    ["deactivated", await endedSession("deactivated", deactivate)],
    ["deleted", await endedSession("deleted", (id) => deleteUser({ actor: OPERATOR, id, caller: CALLER }))],
  ];
  const tokens = { own: token.id, other: othersToken.id, nobody: NOBODY };
  const ofSessions = { own: elsewhere.actor.sessionId, other: other.actor.sessionId, nobody: NOBODY };
  const logins = {
    own: (await listUnknownLogins(elsewhere.actor))[0]?.id ?? "",
    other: (await listUnknownLogins(othersElsewhere.actor))[0]?.id ?? "",
    nobody: NOBODY,
  };
  const users = { own: user.actor.user.id, other: other.actor.user.id, nobody: NOBODY };
  return {
    columns: new Map(columns),
    slug,
    ids: {
      tokens: new Map(Object.entries(tokens)),
      users: new Map(Object.entries(users)),
      sessions: new Map(Object.entries(ofSessions)),
      "unknown-logins": new Map(Object.entries(logins)),
    },
  };
}

/** A path of the table with the ids of this world. */
export function pathWith({ ids, slug }: World, path: string): string {
  return path
    .replace(/^(templates|thumbnails|proofs)\/slug$/, (_all, kind) => `${kind}/${slug}`)
    .replace("links/signed", () => linkTo({ template: slug }))
    .replace(/(tokens|users|sessions|unknown-logins)\/(own|other|nobody)/, (_all, kind: keyof World["ids"], name) => {
      return `${kind}/${ids[kind].get(name)}`;
    });
}
