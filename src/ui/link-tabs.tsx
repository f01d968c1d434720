import { Link } from "react-router";
import { classNames } from "./class-names.ts";
import { tabLook, tabRow } from "./tab-look.ts";

type LinkTabsProps = {
  /** What the tabs choose among, for screen readers. */
  label: string;
  tabs: readonly { to: string; label: string; count?: number; current: boolean }[];
  className?: string;
};

/** Tabs that are addresses: they work without scripts and can be bookmarked. */
export function LinkTabs({ label, tabs, className }: LinkTabsProps) {
  return (
    <nav aria-label={label} className={classNames(tabRow, className)}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          preventScrollReset
          aria-current={tab.current ? "page" : undefined}
          className={tabLook}
        >
          {tab.label}
          {tab.count === undefined ? null : <span className="font-normal">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
