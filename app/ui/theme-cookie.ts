export const THEME_COOKIE = "theme";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** A year, in seconds: the longest that browsers keep a cookie which a script has set is about that. */
const LIFETIME_SECONDS = 31_536_000;

/** Reads what a cookie says. Anything that is no theme counts as `system`. */
export function toTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? "system";
}

/** The assignment to `document.cookie` that keeps a choice, or forgets it for `system`. */
export function themeCookie(theme: Theme): string {
  const lifetime = theme === "system" ? 0 : LIFETIME_SECONDS;
  return `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${lifetime}; SameSite=Lax`;
}
