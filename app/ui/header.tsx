import Link from "next/link";
import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Navigation } from "./navigation.tsx";
import { navigationItems } from "./navigation-items.ts";
import { SignInLink } from "./sign-in-link.tsx";
import { chosenTheme } from "./theme.ts";
import { ThemeSwitch } from "./theme-switch.tsx";
import { type Viewer, viewer } from "./viewer.ts";

/** The page's own guard says what is wrong; the frame around what it says has to stand without an answer. */
async function knownViewer(): Promise<Viewer | null> {
  try {
    return await viewer();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function Mark({ isAlone }: { isAlone: boolean }) {
  return (
    <Link
      href="/"
      prefetch={false}
      aria-label="Platen, to the templates"
      // The way around, where there is one, keeps the rest apart on wide screens.
      className={`mr-auto flex items-center gap-2 ${isAlone ? "" : "lg:mr-4"}`}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5">
        <rect x="1" y="3" width="18" height="6" rx="3" className="fill-ink" />
        <rect x="4" y="10.5" width="12" height="7.5" rx="0.75" className="fill-accent" />
      </svg>
      <span className="font-display font-semibold text-xl tracking-tight">Platen</span>
    </Link>
  );
}

/** The top of every page. */
export async function Header() {
  const [user, theme] = await Promise.all([knownViewer(), chosenTheme()]);
  const items = navigationItems(user);
  return (
    <header className="border-line border-b bg-paper">
      <div className="mx-auto flex min-h-14 w-full max-w-page flex-wrap items-center gap-x-2.5 px-4 text-[0.9375rem] sm:px-6 [&>*]:my-1.5">
        <Mark isAlone={items.length === 0} />
        {items.length > 0 && <Navigation items={items} />}
        <ThemeSwitch initial={theme} />
        {user && <AccountMenu name={user.name} email={user.email} />}
        {accessEnabled() && user === null && <SignInLink />}
      </div>
    </header>
  );
}
