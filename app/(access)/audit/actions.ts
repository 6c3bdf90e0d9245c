import type { ACTS } from "#lib/schemas/audit.ts";

export type Action = (typeof ACTS)[number];

/** What the filter calls each act. */
const LABELS: Record<Action, string> = {
  login: "Signed in",
  "login.failed": "Failed to sign in",
  logout: "Signed out",
  "session.ended": "Ended a session of their own",
  "sessions.ended": "Ended all their other sessions",
  "account.updated": "Changed their own profile",
  "password.changed": "Changed their own password",
  "password.failed": "Gave a wrong current password",
  "password.set": "Set the password of somebody",
  "user.created": "Created a user",
  "user.updated": "Changed a user",
  "user.deleted": "Deleted a user",
  "token.created": "Made a token",
  "token.revoked": "Revoked a token",
  "admin.bootstrapped": "Made the first administrator",
};

export const ACTION_OPTIONS = [
  { value: "", label: "Everything" },
  ...Object.entries(LABELS).map(([value, label]) => ({ value, label })),
];
