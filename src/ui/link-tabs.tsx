import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names.ts";
import { tabClasses, tabRowClasses } from "./tab-classes.ts";

type LinkTabsProps = {
  /** The accessible name. */
  label: string;
  tabs: readonly { to: string; label: string; count?: number; current: boolean }[];
  className?: string;
};

/**
 * Tabs with a URL each: they work without JavaScript and can be bookmarked. The row scrolls to the
 * current tab on narrow screens. Tabs that are too many for wide screens can wrap there by `className`.
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
    <nav ref={row} aria-label={label} className={classNames(tabRowClasses, className)}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          preventScrollReset
          aria-current={tab.current ? "page" : undefined}
          className={tabClasses}
        >
          {tab.label}
          {tab.count === undefined ? null : <span className="font-normal">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
