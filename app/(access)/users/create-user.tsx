"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { send } from "../../ui/api/api.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { FailureNotice } from "../../ui/feedback/notice.tsx";
import { notify } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { useDraft } from "../../ui/form/use-draft.ts";
import { useSubmit } from "../../ui/form/use-submit.ts";
import { GeneratedPassword, PasswordFields, usePasswordChoice } from "./password-choice.tsx";
import { PERSON_FIELDS, type Person, PersonFields } from "./person-fields.tsx";

type Created = { id: string; name: string; email: string };

/** `password` is set if it was generated. */
type OnCreated = (user: Created, password: string | undefined) => void;

const NOBODY: Person = { name: "", email: "", role: "user" };

type CreateFormProps = { person: Person; onEdit: (part: Partial<Person>) => void; onCreated: OnCreated };

function CreateForm({ person, onEdit, onCreated }: CreateFormProps) {
  const choice = usePasswordChoice();
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    const { password, isGenerated } = choice.take();
    const user = await send<Created>("POST", "/api/service/users", { ...person, password });
    onCreated(user, isGenerated ? password : undefined);
  });
  return (
    <form onSubmit={submit} method="post" noValidate className="flex flex-col gap-4">
      <PersonFields person={person} onEdit={onEdit} issueAt={issueAt} />
      <PasswordFields choice={choice} error={issueAt("/password")} />
      <FailureNotice failure={failure} fields={[...PERSON_FIELDS, "/password"]} />
      <Button type="submit" tone="primary" isPending={isPending} className="self-end">
        Create user
      </Button>
    </form>
  );
}

/** A button, and the dialog it opens. */
export function CreateUser() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<{ user: Created; password: string }>();
  const [person, setPerson] = useState(NOBODY);
  const open = (described = NOBODY) => {
    setCreated(undefined);
    setPerson(described);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    if (created) router.refresh();
  };
  useDraft("new user", isOpen && !created && person !== NOBODY ? person : {}, ({ name = "", email = "", role }) =>
    open({ name, email, role: role === "admin" ? "admin" : "user" }),
  );
  const onCreated: OnCreated = (user, password) => {
    // Where the server has another version by now, a refresh loads the whole page anew, and the password is lost.
    if (password !== undefined) return setCreated({ user, password });
    setOpen(false);
    router.refresh();
    notify(`${user.name} created`);
  };
  return (
    <>
      <Button tone="primary" onClick={() => open()}>
        Create user
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(isOpening) => (isOpening ? open() : close())}
        ignoresOutsideClicks
        title={created ? `${created.user.name} can sign in` : "Create user"}
        description={created ? `With ${created.user.email} and this password.` : "The user can sign in at once."}
      >
        {created ? (
          <GeneratedPassword
            password={created.password}
            help="Send it over a private channel. The user can change it on the Account page."
            doneLabel="Done"
            onDone={close}
          />
        ) : (
          <CreateForm
            person={person}
            onEdit={(part) => setPerson((before) => ({ ...before, ...part }))}
            onCreated={onCreated}
          />
        )}
      </Dialog>
    </>
  );
}
