"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, type FormEvent, useTransition } from "react";
import { Button } from "./button.tsx";

type QueryFormProps = Omit<ComponentProps<"form">, "action" | "method" | "onSubmit"> & {
  /** The path of the page that shows the result. */
  action: string;
  /** The label of its button. */
  submit: string;
};

/**
 * A form whose values become the query of a page. The browser does the same without scripts. `next/form` would not tell that the page is
 * on its way.
 */
export function QueryForm({ action, submit, children, ...rest }: QueryFormProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // In a form with a single text field, the return key needs no button.
    if (isPending) return;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget))
      query.append(name, typeof value === "string" ? value : value.name);
    startTransition(() => router.push(`${action}?${query}`));
  };
  return (
    <form {...rest} action={action} onSubmit={onSubmit}>
      {children}
      <Button type="submit" isPending={isPending}>
        {submit}
      </Button>
    </form>
  );
}
