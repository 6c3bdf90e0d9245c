import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Submit } from "../../ui/use-submit.ts";
import { MAY, ROLES, type Role } from "./roles.ts";

/** What administrators say of somebody. */
export type Person = { name: string; email: string; role: Role };

type PersonFieldsProps = {
  person: Person;
  onEdit: (part: Partial<Person>) => void;
  issueAt: Submit["issueAt"];
  /** Why the role has to stay what it is, where it has. */
  roleLock?: string | undefined;
};

/** The pointers of {@link PersonFields}. */
export const PERSON_FIELDS = ["/name", "/email", "/role"];

/** The fields for somebody's name, email and role. */
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
        type="email"
        value={person.email}
        onChange={(event) => onEdit({ email: event.target.value })}
        error={issueAt("/email")}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label="Role"
        value={person.role}
        options={ROLES}
        onChange={(event) => onEdit({ role: event.target.value as Role })}
        error={issueAt("/role")}
        disabled={roleLock !== undefined}
        help={roleLock ?? MAY[person.role]}
      />
    </>
  );
}
