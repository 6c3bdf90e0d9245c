import { z } from "zod";
import { findUsers } from "#lib/access/user-directory.ts";
import { createUser, deleteUser, findUser, setPassword, unlockUser, updateUser } from "#lib/access/users.ts";
import { requireShape } from "#lib/http/body/shape.ts";
import { CreateUser, SetPassword, UpdateUser, User } from "#lib/schemas/user.ts";
import { UsageError } from "../run-command.ts";
import { askNewPassword, confirmDeletion } from "./ask.ts";
import { type Command, operator, readEmail, toJson } from "./command.ts";
import { printable, shortMoment, table } from "./table.ts";

const EMPTY = "There are no users yet. Create the first administrator: npm run users -- create <email> --admin";

export const create: Command = {
  words: ["email"],
  options: ["name", "admin"],
  async prepare({ words: [email = ""], options, terminal }) {
    const name = options.name ?? email.trim().split("@")[0];
    // Checked before the password is asked for.
    readEmail(email);
    const value = { email, name, password: await askNewPassword(terminal), role: options.admin ? "admin" : "user" };
    const user = requireShape({ schema: CreateUser, value, name: "The command" });
    return async () => {
      const created = await createUser({ ...operator, user });
      return `Created ${created.email}, ${created.role === "admin" ? "an administrator" : "a user"}.`;
    };
  },
};

export const list: Command = {
  words: [],
  options: ["json"],
  async prepare({ options }) {
    return async () => {
      const { users } = await findUsers({});
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

export const changePassword: Command = {
  words: ["email"],
  options: [],
  async prepare({ words, terminal }) {
    const email = readEmail(words[0]);
    const value = { password: await askNewPassword(terminal) };
    const { password } = requireShape({ schema: SetPassword, value, name: "The command" });
    return async () => {
      const { id } = await findUser(email);
      await setPassword({ ...operator, id, password });
      return `Set the password of ${email}, and ended all of their sessions and every limit on their logins.`;
    };
  },
};

export const unlock: Command = {
  words: ["email"],
  options: [],
  async prepare({ words }) {
    const email = readEmail(words[0]);
    return async () => {
      const { id } = await findUser(email);
      await unlockUser({ ...operator, id });
      return `Ended every limit on the logins of ${email}. Their password stays as it is.`;
    };
  },
};

function readRole(text: string | undefined): string | undefined {
  if (text === "user" || text === "admin") return text;
  throw new UsageError(`Got the role ${JSON.stringify(printable(text ?? ""))}, want "user" or "admin".`);
}

/** A command that changes one value of a user. */
function updateCommand(
  words: string[],
  changesOf: (words: string[]) => unknown,
  done: (email: string) => string,
): Command {
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

export const remove: Command = {
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

export const setRole = updateCommand(
  ["email", "role"],
  ([, role]) => ({ role: readRole(role) }),
  (email) => `Set the role of ${email}. It applies from their next request.`,
);

export const deactivate = updateCommand(
  ["email"],
  () => ({ status: "deactivated" }),
  (email) => `Deactivated ${email} and ended all of their sessions.`,
);

export const reactivate = updateCommand(
  ["email"],
  () => ({ status: "active" }),
  (email) => `Reactivated ${email}. Their tokens work again, and they have to sign in again.`,
);
