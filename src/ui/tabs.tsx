import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { tabLook, tabRow } from "./tab-look.ts";

type TabsProps = {
  label: string;
  tabs: readonly { value: string; label: string; count?: number; content: ReactNode }[];
  defaultValue?: string;
  className?: string;
};

/** Tabs inside one page, arrow keys between them. Where a tab deserves an address use LinkTabs. */
export function Tabs({ label, tabs, defaultValue, className }: TabsProps) {
  return (
    <RadixTabs.Root defaultValue={defaultValue ?? tabs[0]?.value} className={className}>
      <RadixTabs.List aria-label={label} className={classNames(tabRow)}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.value} value={tab.value} className={tabLook}>
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
