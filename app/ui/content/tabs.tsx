"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

type TabsProps = {
  /** The accessible name. */
  label: string;
  tabs: { value: string; label: ReactNode; panel: ReactNode }[];
  value: string;
  onValueChange: (value: string) => void;
  /** Whether hidden panels stay in the page, with their state. */
  keepsPanels?: boolean;
};

/** Tabs with their panels. Arrow keys move between tabs. */
export function Tabs({ label, tabs, value, onValueChange, keepsPanels = false }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={onValueChange}>
      <Base.List aria-label={label} className="relative flex gap-5 overflow-x-auto border-line border-b px-0.5">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px border-transparent border-b-2 py-2 text-[0.9375rem] text-soft whitespace-nowrap hover:text-ink focus-visible:-outline-offset-2 data-active:border-accent data-active:text-ink forced-colors:not-data-active:border-[Canvas]"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} keepMounted={keepsPanels} className="pt-4">
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
