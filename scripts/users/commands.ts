import { z } from "zod";
import { listAuditEvents, ON_THE_MACHINE } from "#lib/access/audit.ts";
import { findTokensLike, revokeToken, type TokenRecord } from "#lib/access/tokens.ts";
import {
  createUser,
  deleteUser,
  findUser,
  listTokensOf,
  listUsers,
  setPassword,
  updateUser,
} from "#lib/access/users.ts";
import { AppError } from "#lib/errors.ts";
import { requireShape } from "#lib/http/shape.ts";
import { Token } from "#lib/schemas/token.ts";
import { CreateUser, email as emailSchema, SetPassword, UpdateUser, User } from "#lib/schemas/user.ts";
import { askNewPassword, confirmDeletion, type Terminal } from "./ask.ts";
import { printable, shortMoment, table } from "./table.ts";
import { UsageError } from "./usage.ts";

export type Options = { name?: string; admin?: boolean; json?: boolean; yes?: boolean; limit?: string };

type Input = { words: string[]; options: Options; terminal: Terminal };

type Command = {
  /** What has to follow the command, in order. */
  words: string[];
  options: (keyof Options)[];
  /** Everything that has to be known before the database is opened. @returns what is to be done with it, and then printed */
  prepare(input: Input): Promise<() => Promise<string>>;
};

const operator = { actor: { kind: "operator" }, caller: ON_THE_MACHINE } as const;

const EMPTY = "There are no users yet. Make the first administrator: npm run users -- create <email> --admin";

const EVENTS = 50;
const EVENTS_MAX = 100_000;

const toJson = (value: unknown) => JSON.stringify(value, undefined, 2);

/** @throws AppError `invalid_request` */
function readEmail(text: string | undefined): string {
  return requireShape({ schema: z.object({ email: emailSchema }), value: { email: text }, name: "The command" }).email;
}

const create: Command = {
  words: ["email"],
  options: ["name", "admin"],
  async prepare({ words: [email = ""], options, terminal }) {
    const name = options.name ?? email.trim().split("@")[0];
    // Before the password is asked for, which would be typed in vain.
    readEmail(email);
    const value = { email, name, password: await askNewPassword(terminal), role: options.admin ? "admin" : "user" };
    const user = requireShape({ schema: CreateUser, value, name: "The command" });
    return async () => {
      const created = await createUser({ ...operator, user });
      return `Created ${created.email}, ${created.role === "admin" ? "an administrator" : "a user"}.`;
    };
  },
};

const list: Command = {
  words: [],
  options: ["json"],
  async prepare({ options }) {
    return async () => {
      const users = await listUsers();
      if (options.json) return toJson(z.array(User).parse(users));
      if (users.length === 0) return EMPTY;
      const rows = users.map(({ email, name, role, status, lastLoginAt, createdAt }) => [
        email,
        name,
        role,
        status,
        shortMoment(lastLoginAt),
        shortMoment(createdAt),
      ]);
      return table(["EMAIL", "NAME", "ROLE", "STATUS", "LAST LOGIN", "CREATED"], rows);
    };
  },
};

const changePassword: Command = {
  words: ["email"],
  options: [],
  async prepare({ words, terminal }) {
    const email = readEmail(words[0]);
    const value = { password: await askNewPassword(terminal) };
    const { password } = requireShape({ schema: SetPassword, value, name: "The command" });
    return async () => {
      const { id } = await findUser(email);
      await setPassword({ ...operator, id, password });
      return `Set the password of ${email} and ended every session of theirs.`;
    };
  },
};

function readRole(text: string | undefined): string | undefined {
  if (text === "user" || text === "admin") return text;
  throw new UsageError(`Got the role ${JSON.stringify(printable(text ?? ""))}, want "user" or "admin".`);
}

/** A command that changes one thing about a user. */
function changing(words: string[], changesOf: (words: string[]) => unknown, done: (email: string) => string): Command {
  return {
    words,
    options: [],
    async prepare({ words: given }) {
      const email = readEmail(given[0]);
      const changes = requireShape({ schema: UpdateUser, value: changesOf(given), name: "The command" });
      return async () => {
        const { id } = await findUser(email);
        const changed = await updateUser({ ...operator, id, changes });
        return done(changed.email);
      };
    },
  };
}

const remove: Command = {
  words: ["email"],
  options: ["yes"],
  async prepare({ words, options, terminal }) {
    const email = readEmail(words[0]);
    if (!options.yes) await confirmDeletion(terminal, email);
    return async () => {
      const { id } = await findUser(email);
      await deleteUser({ ...operator, id });
      return `Deleted ${email}.`;
    };
  },
};

function tokenRow({ id, tokenPrefix, name, createdAt, lastUsedAt, revokedAt }: TokenRecord): string[] {
  return [id, `${tokenPrefix}…`, name, shortMoment(createdAt), shortMoment(lastUsedAt), shortMoment(revokedAt)];
}

const tokens: Command = {
  words: ["email"],
  options: ["json"],
  async prepare({ words, options }) {
    const email = readEmail(words[0]);
    return async () => {
      const { id } = await findUser(email);
      const found = await listTokensOf({ ...operator, id });
      if (options.json) return toJson(z.array(Token).parse(found));
      if (found.length === 0) return `${email} has no tokens.`;
      return table(["ID", "SECRET", "NAME", "CREATED", "LAST USED", "REVOKED"], found.map(tokenRow));
    };
  },
};

/** @throws AppError `not_found` when none begins like this, or several do */
async function tokenIdOf(text: string): Promise<string> {
  if (!text.startsWith("svc_")) return text;
  const [found, ...others] = await findTokensLike(text);
  if (!found) throw new AppError("not_found", "No token begins like that.");
  if (others.length > 0)
    throw new AppError("not_found", "More than one token begins like that. Please name its id instead.");
  return found.id;
}

const revoke: Command = {
  words: ["token"],
  options: [],
  async prepare({ words: [text = ""] }) {
    return async () => {
      const id = await tokenIdOf(text);
      await revokeToken({ ...operator, id });
      return `Revoked the token ${printable(id)}.`;
    };
  },
};

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? EVENTS : /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > EVENTS_MAX)
    throw new UsageError(`Got --limit ${printable(text ?? "")}, want a number from 1 to ${EVENTS_MAX}.`);
  return limit;
}

const audit: Command = {
  words: [],
  options: ["limit", "json"],
  async prepare({ options }) {
    const limit = readLimit(options.limit);
    return async () => {
      const events = await listAuditEvents({ limit });
      if (options.json) return toJson(events);
      if (events.length === 0) return "Nothing has happened yet.";
      const rows = events.map(({ at, act, actorName, targetName, detail, address }) => [
        at.toISOString().slice(0, 19).replace("T", " "),
        act,
        actorName ?? "-",
        targetName ?? "-",
        Object.entries(detail ?? {})
          .map(([key, value]) => `${key}=${value}`)
          .join(" "),
        address ?? "-",
      ]);
      return table(["AT (UTC)", "ACT", "WHO", "WHOM OR WHAT", "SET", "FROM"], rows);
    };
  },
};

export const COMMANDS: Record<string, Command> = {
  create,
  list,
  "set-password": changePassword,
  "set-role": changing(
    ["email", "role"],
    ([, role]) => ({ role: readRole(role) }),
    (email) => `Set the role of ${email}, which counts from their next request on.`,
  ),
  deactivate: changing(
    ["email"],
    () => ({ status: "deactivated" }),
    (email) => `Deactivated ${email} and ended every session of theirs.`,
  ),
  reactivate: changing(
    ["email"],
    () => ({ status: "active" }),
    (email) => `Reactivated ${email}. Their tokens work again; they have to sign in anew.`,
  ),
  delete: remove,
  tokens,
  revoke,
  audit,
};
