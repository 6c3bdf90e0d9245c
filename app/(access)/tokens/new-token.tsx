"use client";

import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import type { CreatedToken } from "#lib/schemas/token.ts";
import { send } from "../../ui/api/api.ts";
import { CodeBlock } from "../../ui/content/code-block.tsx";
import { SecretBox } from "../../ui/content/secret-box.tsx";
import { FailureNotice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/form/button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { useDraft } from "../../ui/form/use-draft.ts";
import { useSubmit } from "../../ui/form/use-submit.ts";
import { type ServiceOrigin, useServiceOrigin } from "../../ui/page/use-service-origin.ts";

/** What the example call needs to know. */
export type CallFacts = {
  origin: ServiceOrigin;
  /** A template that renders without data. */
  template: string;
};

/** A command that renders a picture. `token` is a token or a shell variable. */
export function FirstCall({ token, origin: known, template }: CallFacts & { token: string }) {
  const origin = useServiceOrigin(known);
  const code = [
    `curl ${origin}/api/service/images/render \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify({ template })}' \\`,
    "  -o picture.png",
  ].join("\n");
  return <CodeBlock label="The call that renders a picture" code={code} wraps />;
}

type Created = z.output<typeof CreatedToken>;

type NewTokenProps = CallFacts & {
  /** Called after a token was created. */
  onCreated: () => void;
  /** Called when its secret is not shown any more. Until then nothing may reload the page. */
  onStored: () => void;
};

function NameForm({ onCreated }: { onCreated: (token: Created) => void }) {
  const [name, setName] = useState("");
  useDraft("new token", name === "" ? {} : { name }, (kept) => setName(kept.name ?? ""));
  const { isPending, failure, submit, issueAt } = useSubmit(async () => {
    onCreated(await send<Created>("POST", "/api/service/tokens", { name }));
  });
  return (
    <form
      onSubmit={submit}
      method="post"
      noValidate
      className="grid items-start gap-x-12 gap-y-4 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]"
    >
      <div>
        <h2 className="font-display font-semibold text-xl">New token</h2>
        <p className="mt-1 text-[0.9375rem] text-balance text-soft">
          Name it after the program that will use it. The token is shown only once.
        </p>
      </div>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-4">
          <TextField
            label="Name"
            name="name"
            autoComplete="off"
            placeholder="Newsletter script"
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={issueAt("/name")}
            className="grow basis-60"
          />
          <Button type="submit" tone="primary" isPending={isPending} className="w-full sm:mt-[1.6875rem] sm:w-auto">
            Create token
          </Button>
        </div>
        <FailureNotice failure={failure} fields={["/name"]} />
      </div>
    </form>
  );
}

type SecretProps = CallFacts & { token: Created; onDone: () => void };

/** Shows the token and a command with it. Its heading takes the focus. */
function CreatedSecret({ token, onDone, ...call }: SecretProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col gap-5">
      <h2
        ref={heading}
        tabIndex={-1}
        className="w-fit font-display font-semibold text-xl outline-offset-4 [overflow-wrap:anywhere]"
      >
        “{token.name}” is ready
      </h2>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <SecretBox
          label="Token"
          secret={token.token}
          help="Store it with the secrets of your program, not in its source code."
        />
        <FirstCall token={token.token} {...call} />
      </div>
      <div>
        <Button onClick={onDone}>I have stored it</Button>
      </div>
    </div>
  );
}

/** Creates a token and shows its secret once. */
export function NewToken({ onCreated, onStored, ...call }: NewTokenProps) {
  const [created, setCreated] = useState<Created>();
  const section = useRef<HTMLElement>(null);
  const done = () => {
    setCreated(undefined);
    section.current?.focus();
    onStored();
  };
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="New token"
      className="rounded-lg border border-line bg-surface p-5 sm:p-7"
    >
      {created ? (
        <CreatedSecret token={created} onDone={done} {...call} />
      ) : (
        <NameForm
          onCreated={(token) => {
            setCreated(token);
            onCreated();
          }}
        />
      )}
    </section>
  );
}
