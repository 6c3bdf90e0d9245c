"use client";

import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { useState } from "react";
import { Monitor, Moon, Sun } from "./icons.tsx";
import { THEMES, type Theme, themeCookie } from "./theme-cookie.ts";

const FACES = {
  system: { label: "As the system", Icon: Monitor },
  light: { label: "Light", Icon: Sun },
  dark: { label: "Dark", Icon: Moon },
};

function apply(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context, and a service at home has none.
  document.cookie = themeCookie(theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
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
