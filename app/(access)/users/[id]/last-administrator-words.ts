/** Why something cannot be done to the only one who could undo it. */
export const LAST_ADMINISTRATOR =
  "This is the last active administrator, and one has to stay. Make somebody else an administrator first.";
