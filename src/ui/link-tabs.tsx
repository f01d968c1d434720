import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names.ts";
import { tabLook, tabRow } from "./tab-look.ts";

type LinkTabsProps = {
  /** What the tabs choose among, for screen readers. */
  label: string;
  tabs: readonly { to: string; label: string; count?: number; current: boolean }[];
  className?: string;
};

/**
 * Tabs that are addresses: they work without scripts and can be bookmarked. On a phone they do not all
 * fit: the row is moved to where the current one is.
 */
export function LinkTabs({ label, tabs, className }: LinkTabsProps) {
  const row = useRef<HTMLElement>(null);
  const current = tabs.find((tab) => tab.current)?.to;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has another current tab
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (row.current && tab)
      row.current.scrollLeft =
        tab.offsetLeft - row.current.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return (
    <nav ref={row} aria-label={label} className={classNames(tabRow, className)}>
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
