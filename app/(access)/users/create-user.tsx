"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FailureNotice } from "../../ui/failure-notice.tsx";
import { notify } from "../../ui/notify.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { PasswordFields, usePasswordChoice } from "./password-choice.tsx";
import { PERSON_FIELDS, type Person, PersonFields } from "./person-fields.tsx";
import { ShownPassword } from "./shown-password.tsx";

type Created = { id: string; name: string; email: string };

/** `password` is there when it was generated. */
type OnCreated = (user: Created, password: string | undefined) => void;

function useCreation(onCreated: OnCreated) {
  const [person, setPerson] = useState<Person>({ name: "", email: "", role: "user" });
  const choice = usePasswordChoice();
  const state = useSubmit(async () => {
    const { password, isGenerated } = choice.take();
    const user = await send<Created>("POST", "/api/service/users", { ...person, password });
    onCreated(user, isGenerated ? password : undefined);
  });
  return { person, edit: (part: Partial<Person>) => setPerson({ ...person, ...part }), choice, ...state };
}

function CreateForm({ onCreated }: { onCreated: OnCreated }) {
  const { person, edit, choice, isPending, failure, submit, issueAt } = useCreation(onCreated);
  return (
    <form onSubmit={submit} method="post" noValidate className="flex flex-col gap-4">
      <PersonFields person={person} onEdit={edit} issueAt={issueAt} />
      <PasswordFields choice={choice} error={issueAt("/password")} />
      <FailureNotice failure={failure} fields={[...PERSON_FIELDS, "/password"]} />
      <Button type="submit" tone="primary" isPending={isPending} className="self-end">
        Create the user
      </Button>
    </form>
  );
}

/** The button that opens the form for somebody new, and the form. */
export function CreateUser() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<{ user: Created; password: string }>();
  const open = () => {
    setCreated(undefined);
    setOpen(true);
  };
  const onCreated: OnCreated = (user, password) => {
    router.refresh();
    if (password !== undefined) return setCreated({ user, password });
    setOpen(false);
    notify(`Created ${user.name}`);
  };
  return (
    <>
      <Button tone="primary" onClick={open}>
        Create a user
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        isPressProof
        title={created ? `${created.user.name} can sign in` : "Create a user"}
        description={created ? `As ${created.user.email}, with this password.` : "They can sign in at once."}
      >
        {created ? (
          <ShownPassword
            password={created.password}
            help="Hand it over where nobody else reads it; they can change it under Account."
            done="Done"
            onDone={() => setOpen(false)}
          />
        ) : (
          <CreateForm onCreated={onCreated} />
        )}
      </Dialog>
    </>
  );
}
