import type { z } from "zod";
import type { AuditPage } from "#lib/schemas/audit.ts";
import type { Action } from "./actions.ts";

export type Entry = z.output<typeof AuditPage>["entries"][number];

/** A piece of a sentence; a name is what the act is about. */
export type Piece = string | { name: string };

const SOMEBODY = "Somebody";

function who({ actor }: Entry): Piece {
  if (actor === null) return SOMEBODY;
  return actor.kind === "operator" ? "The operator" : { name: actor.email ?? "a user" };
}

function whom({ subject }: Entry): Piece {
  return subject === null ? "somebody" : { name: subject.name ?? "a user" };
}

/** What a change of a profile has set, each as an act of its own. `of` is whose it is. */
function changes({ detail }: Entry, of: Piece[]): Piece[][] {
  const { name, email, role, status } = detail ?? {};
  return [
    ...(name === undefined ? [] : [["changed the name of ", ...of, " to ", { name }]]),
    ...(email === undefined ? [] : [["changed the email of ", ...of, " to ", { name: email }]]),
    ...(role === undefined ? [] : [["made ", ...of, role === "admin" ? " an administrator" : " an ordinary user"]]),
    ...(status === undefined ? [] : [[status === "active" ? "reactivated " : "deactivated ", ...of]]),
  ];
}

function listed(acts: Piece[][], otherwise: Piece[]): Piece[] {
  if (acts.length === 0) return otherwise;
  return acts.flatMap((act, at) => (at === 0 ? act : [at === acts.length - 1 ? " and " : ", ", ...act]));
}

const SENTENCES: Record<Action, (entry: Entry) => Piece[]> = {
  login: (entry) => [who(entry), " signed in"],
  "login.failed": (entry) =>
    entry.subject
      ? ["Somebody failed to sign in as ", whom(entry)]
      : ["Somebody failed to sign in, with an email that nobody here has"],
  logout: (entry) => [who(entry), " signed out"],
  "session.ended": (entry) => [who(entry), " ended their session on ", whom(entry)],
  "sessions.ended": (entry) => [who(entry), " ended all their other sessions"],
  "account.updated": (entry) => [
    who(entry),
    " ",
    ...listed(changes(entry, ["their own account"]), ["changed their own account"]),
  ],
  "password.changed": (entry) => [who(entry), " changed their own password"],
  "password.failed": (entry) => [who(entry), " gave a wrong current password"],
  "password.set": (entry) => [who(entry), " set a new password for ", whom(entry)],
  "user.created": (entry) => [
    who(entry),
    " created ",
    whom(entry),
    entry.detail?.role === "admin" ? ", an administrator" : ", a user",
  ],
  "user.updated": (entry) => [who(entry), " ", ...listed(changes(entry, [whom(entry)]), ["changed ", whom(entry)])],
  "user.deleted": (entry) => [who(entry), " deleted ", whom(entry)],
  "token.created": (entry) => [who(entry), " made the token ", whom(entry)],
  "token.revoked": (entry) => [who(entry), " revoked the token ", whom(entry)],
  "admin.bootstrapped": (entry) => ["The first administrator, ", whom(entry), ", was made at the first start"],
};

/** Who did what to whom, as a sentence without its full stop. */
export function sentenceOf(entry: Entry): Piece[] {
  const known = Object.hasOwn(SENTENCES, entry.action) ? SENTENCES[entry.action as Action] : undefined;
  return known ? known(entry) : [who(entry), ` did “${entry.action}” to `, whom(entry)];
}
