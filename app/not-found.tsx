import { LinkButton } from "./ui/form/button.tsx";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <div className="py-[10vh]">
      <p className="font-mono text-accent text-sm">404</p>
      <h1 className="mt-3 max-w-[22ch] font-display font-semibold text-3xl tracking-tight">Page not found</h1>
      <p className="mt-4 max-w-prose text-soft">
        There is no page at this address. Check it for typing mistakes, or start with the templates.
      </p>
      <p className="mt-8">
        <LinkButton href="/">See the templates</LinkButton>
      </p>
    </div>
  );
}
