"use client";

import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import type { CreatedToken } from "#lib/schemas/token.ts";
import { send } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { FailureNotice } from "../../ui/failure-notice.tsx";
import { SecretBox } from "../../ui/secret-box.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { type CallFacts, FirstCall } from "./first-call.tsx";

type Created = z.output<typeof CreatedToken>;

type NewTokenProps = CallFacts & {
  /** Called when there is one more. */
  onCreated: () => void;
};

/** Asks for the name. */
function NameForm({ onCreated }: { onCreated: (token: Created) => void }) {
  const [name, setName] = useState("");
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
          Name it after what will use it. You will see its secret once.
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
            Create the token
          </Button>
        </div>
        <FailureNotice failure={failure} fields={["/name"]} />
      </div>
    </form>
  );
}

type SecretProps = CallFacts & { token: Created; onDone: () => void };

/** The secret and the first call with it. It takes the focus, so that nobody looks for what has appeared. */
function Secret({ token, onDone, ...call }: SecretProps) {
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
          help="Keep it where your program reads its secrets, not in its source."
        />
        <FirstCall token={token.token} {...call} />
      </div>
      <div>
        <Button onClick={onDone}>I have stored it</Button>
      </div>
    </div>
  );
}

/** Makes a token and shows its secret this once. */
export function NewToken({ onCreated, ...call }: NewTokenProps) {
  const [created, setCreated] = useState<Created>();
  const place = useRef<HTMLElement>(null);
  const done = () => {
    setCreated(undefined);
    place.current?.focus();
  };
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label="New token"
      className="rounded-lg border border-line bg-surface p-5 sm:p-7"
    >
      {created ? (
        <Secret token={created} onDone={done} {...call} />
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
