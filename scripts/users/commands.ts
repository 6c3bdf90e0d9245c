import { audit } from "./audit.ts";
import type { Command } from "./command.ts";
import { changePassword, create, deactivate, list, reactivate, remove, setRole } from "./people.ts";
import { revoke, tokens } from "./tokens.ts";

/** Every command by its name. */
export const COMMANDS: Record<string, Command> = {
  create,
  list,
  "set-password": changePassword,
  "set-role": setRole,
  deactivate,
  reactivate,
  delete: remove,
  tokens,
  revoke,
  audit,
};
