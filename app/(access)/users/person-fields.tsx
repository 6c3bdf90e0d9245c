import { Select } from "../../ui/form/select.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import type { Submit } from "../../ui/form/use-submit.ts";
import type { Viewer } from "../../ui/page/guards.ts";

export type Role = Viewer["role"];

const ROLES: { value: Role; label: string }[] = [
  { value: "user", label: "User" },
  { value: "admin", label: "Administrator" },
];

/** What a role may do. */
const ROLE_HELP: Record<Role, string> = {
  user: "Renders pictures and creates tokens.",
  admin: "Also manages users and reads the audit trail.",
};

/** The properties of a user that an administrator edits. */
export type Person = { name: string; email: string; role: Role };

type PersonFieldsProps = {
  person: Person;
  onEdit: (part: Partial<Person>) => void;
  issueAt: Submit["issueAt"];
  /** Disables the role, and says why. */
  roleLock?: string | undefined;
};

/** The JSON Pointers of {@link PersonFields}. */
export const PERSON_FIELDS = ["/name", "/email", "/role"];

/** The fields for the name, email and role of a user. */
export function PersonFields({ person, onEdit, issueAt, roleLock }: PersonFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        value={person.name}
        onChange={(event) => onEdit({ name: event.target.value })}
        error={issueAt("/name")}
        autoComplete="off"
      />
      <TextField
        label="Email"
        // Not of the type "email": Chromium would change ada@bücher.example to ada@xn--bcher-kva.example, and its owner, who signs in with
        // the first, would be refused.
        inputMode="email"
        value={person.email}
        onChange={(event) => onEdit({ email: event.target.value })}
        error={issueAt("/email")}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <Select
        label="Role"
        value={person.role}
        options={ROLES}
        onChange={(event) => onEdit({ role: event.target.value as Role })}
        error={issueAt("/role")}
        disabled={roleLock !== undefined}
        help={roleLock ?? ROLE_HELP[person.role]}
      />
    </>
  );
}
