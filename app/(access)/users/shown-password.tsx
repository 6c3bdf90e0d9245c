"use client";

import { useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { SecretBox } from "../../ui/secret-box.tsx";

type ShownPasswordProps = {
  password: string;
  /** What it is to be done with. */
  help: string;
  /** What the button says that ends it. */
  done: string;
  onDone: () => void;
};

/** A password that was generated, this once. It takes the focus, from the form that it stands in place of. */
export function ShownPassword({ password, help, done, onDone }: ShownPasswordProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-5 outline-none">
      <SecretBox label="Password" secret={password} help={help} />
      <Button className="self-end" onClick={onDone}>
        {done}
      </Button>
    </div>
  );
}
