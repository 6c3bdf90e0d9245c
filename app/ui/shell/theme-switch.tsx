"use client";

import Cookies from "js-cookie";
import { useState } from "react";
import { Monitor, Moon, Sun } from "../content/icons.tsx";
import { THEME_COOKIE, THEMES, type Theme } from "./theme.ts";

const OPTIONS = {
  system: { label: "System", Icon: Monitor },
  light: { label: "Light", Icon: Sun },
  dark: { label: "Dark", Icon: Moon },
};

/** Browsers keep a cookie that a script has set for about a year at most. */
const LIFETIME_DAYS = 365;

function apply(theme: Theme): void {
  // The Cookie Store API needs a secure context, which a service over plain http is not.
  if (theme === "system") {
    Cookies.remove(THEME_COOKIE);
    delete document.documentElement.dataset.theme;
  } else {
    Cookies.set(THEME_COOKIE, theme, { expires: LIFETIME_DAYS, sameSite: "lax" });
    document.documentElement.dataset.theme = theme;
  }
}

/** Chooses the light, dark or system theme. The choice is kept in a cookie, so that the server renders with it. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    apply(next);
  };
  return (
    <fieldset className="flex w-fit items-center gap-0.5 rounded-full border border-line bg-surface p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((value) => {
        const { label, Icon } = OPTIONS[value];
        return (
          <label
            key={value}
            title={label}
            className="relative grid size-7 place-items-center rounded-full text-soft hover:text-ink has-checked:bg-ink has-checked:text-paper forced-colors:has-checked:bg-[SelectedItem] forced-colors:has-checked:text-[SelectedItemText] has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              autoComplete="off"
              aria-label={label}
              checked={value === theme}
              onChange={() => choose(value)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            <Icon />
          </label>
        );
      })}
    </fieldset>
  );
}
