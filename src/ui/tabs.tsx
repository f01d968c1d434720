import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { tabClasses, tabRowClasses } from "./tab-classes.ts";

type TabsProps = {
  label: string;
  tabs: readonly { value: string; label: string; count?: number; content: ReactNode }[];
  defaultValue?: string;
  className?: string;
};

/** Tabs within a page, with arrow key navigation. Use LinkTabs for tabs with a URL each. */
export function Tabs({ label, tabs, defaultValue, className }: TabsProps) {
  return (
    <RadixTabs.Root defaultValue={defaultValue ?? tabs[0]?.value} className={className}>
      <RadixTabs.List aria-label={label} className={classNames(tabRowClasses)}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.value} value={tab.value} className={tabClasses}>
            {tab.label}
            {tab.count === undefined ? null : <span className="font-normal">{tab.count}</span>}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
