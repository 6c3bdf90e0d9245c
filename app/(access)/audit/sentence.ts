import type { z } from "zod";
import type { ACTS, AuditPage } from "#lib/schemas/audit.ts";

export type Action = (typeof ACTS)[number];

/** The labels of the filter. */
const LABELS: Record<Action, string> = {
  login: "Signed in",
  "login.failed": "Failed to sign in",
  logout: "Signed out",
  "login.confirmed": "Confirmed a login from an unknown browser",
  "login.disowned": "Signed out an unknown browser",
  "session.ended": "Ended one of their sessions",
  "sessions.ended": "Ended their other sessions",
  "account.updated": "Changed their profile",
  "password.changed": "Changed their password",
  "password.failed": "Entered a wrong current password",
  "password.set": "Set the password of a user",
  "user.created": "Created a user",
  "user.updated": "Changed a user",
  "user.deleted": "Deleted a user",
  "user.unlocked": "Ended the limits on a user's logins",
  "token.created": "Created a token",
  "token.revoked": "Revoked a token",
  "admin.bootstrapped": "Created the first administrator",
  "audit.exported": "Exported the audit trail",
};

export const ACTION_OPTIONS = [
  { value: "", label: "All actions" },
  ...Object.entries(LABELS).map(([value, label]) => ({ value, label })),
];

export type Entry = z.output<typeof AuditPage>["entries"][number];

/** A part of a sentence. Names are emphasised. */
export type Piece = string | { name: string };

function actorOf({ actor }: Entry): Piece {
  if (actor === null) return "Someone";
  return actor.kind === "operator" ? "The operator" : { name: actor.email ?? "a user" };
}

function subjectOf({ subject }: Entry): Piece {
  return subject === null ? "someone" : { name: subject.name ?? "a user" };
}

/** One phrase per changed property of a user. `of` names the user. */
function changes({ detail }: Entry, of: Piece[]): Piece[][] {
  const { name, email, role, status } = detail ?? {};
  return [
    ...(name === undefined ? [] : [["changed the name of ", ...of, " to ", { name }]]),
    ...(email === undefined ? [] : [["changed the email of ", ...of, " to ", { name: email }]]),
    ...(role === undefined ? [] : [["made ", ...of, role === "admin" ? " an administrator" : " an ordinary user"]]),
    ...(status === undefined ? [] : [[status === "active" ? "reactivated " : "deactivated ", ...of]]),
  ];
}

function joined(phrases: Piece[][], fallback: Piece[]): Piece[] {
  if (phrases.length === 0) return fallback;
  return phrases.flatMap((phrase, at) => (at === 0 ? phrase : [at === phrases.length - 1 ? " and " : ", ", ...phrase]));
}

const SENTENCES: Record<Action, (entry: Entry) => Piece[]> = {
  login: (entry) => [actorOf(entry), " signed in"],
  "login.failed": (entry) =>
    entry.subject
      ? ["Someone failed to sign in as ", subjectOf(entry)]
      : ["Someone failed to sign in with an unknown email"],
  logout: (entry) => [actorOf(entry), " signed out"],
  "login.confirmed": (entry) =>
    entry.subject?.type === "session"
      ? [actorOf(entry), " confirmed their login on ", subjectOf(entry)]
      : [actorOf(entry), " confirmed all logins from unknown browsers"],
  "login.disowned": (entry) => [actorOf(entry), " signed out an unknown browser, ", subjectOf(entry)],
  "session.ended": (entry) => [actorOf(entry), " ended their session on ", subjectOf(entry)],
  "sessions.ended": (entry) => [actorOf(entry), " ended their other sessions"],
  "account.updated": (entry) => [
    actorOf(entry),
    " ",
    ...joined(changes(entry, ["their own account"]), ["changed their own account"]),
  ],
  "password.changed": (entry) => [actorOf(entry), " changed their own password"],
  "password.failed": (entry) => [actorOf(entry), " entered a wrong current password"],
  "password.set": (entry) => [actorOf(entry), " set a new password for ", subjectOf(entry)],
  "user.created": (entry) => [
    actorOf(entry),
    " created ",
    subjectOf(entry),
    entry.detail?.role === "admin" ? ", an administrator" : ", a user",
  ],
  "user.updated": (entry) => [
    actorOf(entry),
    " ",
    ...joined(changes(entry, [subjectOf(entry)]), ["changed ", subjectOf(entry)]),
  ],
  "user.deleted": (entry) => [actorOf(entry), " deleted ", subjectOf(entry)],
  "user.unlocked": (entry) => [actorOf(entry), " ended the limits on the logins of ", subjectOf(entry)],
  "token.created": (entry) => [actorOf(entry), " created the token ", subjectOf(entry)],
  "token.revoked": (entry) => [actorOf(entry), " revoked the token ", subjectOf(entry)],
  "admin.bootstrapped": (entry) => ["The first administrator, ", subjectOf(entry), ", was created at the first start"],
  "audit.exported": (entry) => [actorOf(entry), " exported the audit trail"],
};

/** An entry as a sentence, without its full stop. */
export function sentenceOf(entry: Entry): Piece[] {
  const known = Object.hasOwn(SENTENCES, entry.action) ? SENTENCES[entry.action as Action] : undefined;
  return known ? known(entry) : [actorOf(entry), ` did “${entry.action}” to `, subjectOf(entry)];
}

/** Terms for details other than the new value of a property. */
const TERMS = new Map([
  ["sessions", "Sessions ended"],
  ["format", "Format"],
  ["action", "Only the action"],
  ["user", "Only the user"],
  ["since", "Since"],
  ["until", "Before"],
  ["logins", "Logins confirmed"],
]);

/** The label of a detail of an entry. */
export function detailTerm(key: string): string {
  return TERMS.get(key) ?? `New ${key}`;
}
