"use client";

import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import Cookies from "js-cookie";
import { useState } from "react";
import { Monitor, Moon, Sun } from "./icons.tsx";
import { THEME_COOKIE, THEMES, type Theme } from "./theme-cookie.ts";

const FACES = {
  system: { label: "As the system", Icon: Monitor },
  light: { label: "Light", Icon: Sun },
  dark: { label: "Dark", Icon: Moon },
};

/** A year: browsers keep a cookie that a script has set for about as long, and no longer. */
const LIFETIME_DAYS = 365;

function apply(theme: Theme): void {
  // By a library: the browser's own Cookie Store needs a secure context, and a service at home has none.
  if (theme === "system") {
    Cookies.remove(THEME_COOKIE);
    delete document.documentElement.dataset.theme;
  } else {
    Cookies.set(THEME_COOKIE, theme, { expires: LIFETIME_DAYS, sameSite: "lax" });
    document.documentElement.dataset.theme = theme;
  }
}

/** Light, dark, or as the system is. The choice is a cookie, so that the server's first paint has it. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    apply(next);
  };
  return (
    <RadioGroup
      aria-label="Theme"
      value={theme}
      onValueChange={choose}
      className="flex w-fit items-center gap-0.5 rounded-full border border-line bg-surface p-0.5"
    >
      {THEMES.map((value) => {
        const { label, Icon } = FACES[value];
        return (
          <Radio.Root
            key={value}
            value={value}
            aria-label={label}
            title={label}
            className="grid size-7 cursor-pointer place-items-center rounded-full text-soft hover:text-ink focus-visible:rounded-full data-checked:bg-ink data-checked:text-paper"
          >
            <Icon />
          </Radio.Root>
        );
      })}
    </RadioGroup>
  );
}
