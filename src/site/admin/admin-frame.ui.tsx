import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { Logo } from "#ui/logo.tsx";
import { Logout, MobileMenu, Progress } from "../layout/top-navigation.ui.tsx";
import { type AdminSection, findSection } from "./admin-sections.ts";
import { SearchBox, useSearchShortcut } from "./search-box.ui.tsx";

const TWO_STEP_PATH = "/admin/two-step";

type AdminFrameProps = {
  /** The name of the signed-in admin. */
  name: string;
  sections: readonly AdminSection[];
  children: ReactNode;
};

/**
 * The frame of the admin area: its sections in a column on wide screens. On narrow ones they are in a menu that starts
 * with those that have open tasks.
 */
export function AdminFrame({ name, sections, children }: AdminFrameProps) {
  const { pathname } = useLocation();
  const current = findSection(pathname);
  useSearchShortcut();
  const hasTasks = ({ count }: AdminSection) => Boolean(count);
  const account = [
    { to: "/profile", label: name },
    { to: TWO_STEP_PATH, label: "Two-step login" },
  ];
  const menuItems = [
    ...sections.filter(hasTasks),
    ...sections.filter((section) => !hasTasks(section)),
    ...account,
  ];
  return (
    <div className="lg:flex">
      <header className="sticky top-0 z-20 bg-header text-on-header lg:flex lg:h-[calc(100*var(--dvh))] lg:w-50 lg:shrink-0 lg:flex-col lg:overflow-y-auto">
        <div className="flex h-13 items-center gap-2 px-4 sm:h-14 sm:px-6 lg:h-16 lg:shrink-0 lg:px-4">
          <Link
            to="/"
            className="-ml-1 inline-flex min-h-11 items-center rounded-md px-1 no-underline focus-visible:outline-on-header focus-visible:shadow-none"
          >
            <Logo tone="light" />
          </Link>
          <span className="font-cond text-on-header-2">admin</span>
          <MobileMenu
            className="ml-auto lg:hidden"
            count={sections.find(({ to }) => to === "/admin")?.count ?? 0}
          >
            <li>
              <SearchBox placeholder="Find" className="px-4 py-3" />
            </li>
            {menuItems.map((item) => (
              <li key={item.to}>
                <SectionLink {...item} isCurrent={item.to === current} />
              </li>
            ))}
            <li>
              <Logout className="menu-link w-full" />
            </li>
          </MobileMenu>
        </div>
        <SearchBox placeholder="Find (Ctrl-K)" className="hidden px-3 pb-3 lg:block" />
        <nav aria-label="Admin" className="hidden lg:block">
          {sections.map((section) => (
            <SectionLink key={section.to} {...section} isCurrent={section.to === current} />
          ))}
        </nav>
        <div className="mt-auto hidden border-t border-on-header-2/25 py-2 lg:block">
          {account.map((item) => (
            <SectionLink key={item.to} {...item} isCurrent={item.to === current} />
          ))}
          <Logout className="menu-link w-full text-base!" />
        </div>
        <Progress />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 flex-1 px-4 py-5 focus-visible:outline-none sm:px-6"
      >
        <div className="max-w-6xl">{children}</div>
      </main>
    </div>
  );
}

function SectionLink({ to, label, count, isCurrent }: AdminSection & { isCurrent: boolean }) {
  return (
    <Link
      to={to}
      discover="none"
      aria-current={isCurrent ? "page" : undefined}
      className="menu-link justify-between gap-2 lg:min-h-10 lg:text-base"
    >
      <span className="min-w-0 truncate">{label}</span>
      {count ? <span className="tabular-nums">{count}</span> : null}
    </Link>
  );
}
