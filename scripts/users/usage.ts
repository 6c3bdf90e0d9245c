export const USAGE = `Manages users and their tokens, on the machine itself. It works whether or not the server runs.

  npm run users -- create <email> [--name <name>] [--admin]
  npm run users -- list [--json]
  npm run users -- set-password <email>
  npm run users -- set-role <email> user|admin
  npm run users -- deactivate <email>
  npm run users -- reactivate <email>
  npm run users -- delete <email> [--yes]
  npm run users -- tokens <email> [--json]
  npm run users -- revoke <token id, or the beginning of its secret>
  npm run users -- audit [--limit <number>] [--json]

  --name <name>     what the user is called; what stands before the @ when absent
  --admin           an administrator, who may manage users
  --yes             delete without asking
  --limit <number>  how many events, the newest first; 50 when absent
  --json            for programs (with npm run --silent)

Passwords are asked for on a terminal, and otherwise read from standard input. They have 12 to 256 characters.`;
