import { accessEnabled } from "#lib/config.ts";
import { type Viewer, viewerOrNull } from "../page/guards.ts";
import { PageLink } from "../page/page-link.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Navigation, type NavigationItem, SignInLink } from "./navigation.tsx";
import type { Theme } from "./theme.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

const STUDIO = [
  { href: "/", label: "Templates" },
  { href: "/docs", label: "Docs" },
];
const STATUS = { href: "/status", label: "Status" };
const TOKENS = { href: "/tokens", label: "Tokens" };
const ADMINISTRATION = [{ href: "/users", label: "Users" }, { href: "/audit", label: "Audit" }, STATUS];

/** The links of the header. Pages that the reader may not open are left out. */
function navigationItems(user: Viewer | null): NavigationItem[] {
  if (!accessEnabled()) return [...STUDIO, STATUS];
  if (user === null) return [];
  return [...STUDIO, TOKENS, ...(user.role === "admin" ? ADMINISTRATION : [])];
}

function Logo({ isAlone }: { isAlone: boolean }) {
  return (
    <PageLink
      href="/"
      aria-label="Platen, all templates"
      className={`mr-auto flex items-center gap-2 ${isAlone ? "" : "lg:mr-4"}`}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5">
        <rect x="1" y="3" width="18" height="6" rx="3" className="fill-ink" />
        <rect x="4" y="10.5" width="12" height="7.5" rx="0.75" className="fill-accent" />
      </svg>
      <span className="font-display font-semibold text-xl tracking-tight">Platen</span>
    </PageLink>
  );
}

/** The top of every page. */
export async function Header({ theme }: { theme: Theme }) {
  const user = await viewerOrNull();
  const items = navigationItems(user);
  return (
    <header data-user={user?.id} className="border-line border-b bg-paper">
      <div className="mx-auto flex min-h-14 w-full max-w-page flex-wrap items-center gap-x-2.5 px-4 text-[0.9375rem] sm:px-6 [&>*]:my-1.5">
        <Logo isAlone={items.length === 0} />
        {items.length > 0 && <Navigation items={items} />}
        <ThemeSwitch initial={theme} />
        {user && <AccountMenu name={user.name} email={user.email} />}
        {accessEnabled() && user === null && <SignInLink />}
      </div>
    </header>
  );
}
