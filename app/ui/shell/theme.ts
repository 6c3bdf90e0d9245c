export const THEME_COOKIE = "theme";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** Reads the value of the cookie. Anything else than a theme counts as `system`. */
export function toTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? "system";
}
