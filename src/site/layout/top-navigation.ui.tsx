import type { ReactNode } from "react";
import { Form, Link, NavLink, useNavigation } from "react-router";
import { coinsCents } from "#domain/coin-packs.ts";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { Logo } from "#ui/logo.tsx";
import { usePrices } from "#ui/prices.ts";
import { useDetailsMenu } from "#ui/use-details-menu.ts";
import type { LayoutViewer } from "./site-layout.ui.tsx";

type NavItem = { to: string; label: string };

const guestItems: readonly NavItem[] = [
  { to: "/", label: "Race cards" },
  { to: "/racing-tracks", label: "Tracks" },
  { to: "/leaderboard", label: "Leaderboard" },
  { to: "/search", label: "Search" },
  { to: "/how-it-works", label: "How it works" },
];

function listNavItems(viewer: LayoutViewer | null): readonly NavItem[] {
  if (!viewer) return guestItems;
  const items = [
    { to: LIST_PATH, label: "Race cards" },
    { to: "/my-cards", label: "My cards" },
  ];
  if (viewer.roles.includes("tipster") || viewer.roles.includes("analyst"))
    items.push({ to: "/tipster-dashboard", label: "Dashboard" });
  if (viewer.roles.includes("admin")) items.push({ to: "/admin", label: "Admin" });
  // "How it works" is for guests. The footer links to it too.
  return [...items, ...guestItems.slice(1, -1)];
}

const linkClasses = "nav-link";

/** The sticky bar: navigation, the viewer's name and balance. */
export function TopNavigation({ viewer }: { viewer: LayoutViewer | null }) {
  const items = listNavItems(viewer);
  // The extra item of creators and admins fits one line only on a wider screen.
  const isLong = items.length > guestItems.length;
  return (
    <header className="sticky top-0 z-20 bg-header text-on-header">
      <div className="mx-auto flex h-13 max-w-6xl items-center gap-1 px-4 sm:h-14 sm:px-6">
        <Link
          to="/"
          discover="none"
          className="-ml-1 mr-2 inline-flex min-h-11 items-center rounded-md px-1 no-underline focus-visible:outline-on-header focus-visible:shadow-none"
        >
          <Logo tone="light" />
        </Link>
        <nav aria-label="Main" className={`hidden flex-1 ${isLong ? "xl:flex" : "lg:flex"}`}>
          {items.map((item) => (
            <NavLink
              key={item.to}
              to={item.to}
              end
              discover="none"
              prefetch="intent"
              className={linkClasses}
            >
              {item.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex min-w-0 items-center gap-1 sm:gap-2">
          {viewer ? (
            <>
              <span className="hidden max-w-40 min-w-0 md:block">
                <DialogLink
                  to="/profile"
                  dialogParameter="profile"
                  className={`${linkClasses} max-w-full`}
                  title={`${viewer.name}: your profile`}
                >
                  <span className="truncate">{viewer.name}</span>
                </DialogLink>
              </span>
              <Balance coins={viewer.coins} />
            </>
          ) : (
            <DialogLink to="/login" dialogParameter="account=sign-in" className={linkClasses}>
              Login
            </DialogLink>
          )}
          <BuyCoins viewer={viewer} className="max-sm:hidden!" />
          {viewer ? (
            <span className={isLong ? "hidden xl:block" : "hidden lg:block"}>
              <Logout className={linkClasses} />
            </span>
          ) : null}
          <MobileMenu className={isLong ? "xl:hidden" : "lg:hidden"}>
            {viewer ? (
              <li>
                <Link to="/profile" discover="none" className={menuLinkClasses}>
                  {viewer.name}
                  <span className="ml-auto text-sm font-normal text-on-header-2">Profile</span>
                </Link>
              </li>
            ) : null}
            {items.map((item) => (
              <li key={item.to}>
                <NavLink to={item.to} end discover="none" className={menuLinkClasses}>
                  {item.label}
                </NavLink>
              </li>
            ))}
            <li>
              <Link to="/help" discover="none" className={menuLinkClasses}>
                Help
              </Link>
            </li>
            {viewer ? (
              <li>
                <Logout className={`${menuLinkClasses} w-full`} />
              </li>
            ) : null}
            <li className="px-4 py-3 sm:hidden">
              <BuyCoins viewer={viewer} className="w-full" />
            </li>
          </MobileMenu>
        </div>
      </div>
      <Progress />
    </header>
  );
}

/** The latest balance that the server reported. */
function Balance({ coins }: { coins: number }) {
  const prices = usePrices();
  return (
    <Link
      to="/profile#statement"
      discover="none"
      title={`${formatCoins(coins)} (${formatRand(coinsCents(prices, coins))} at ${formatRand(coinsCents(prices, 1))} a coin)`}
      className="inline-flex min-h-11 min-w-[5.25rem] items-center justify-end rounded-md px-1.5 no-underline focus-visible:outline-on-header focus-visible:shadow-none"
    >
      <CoinAmount amountCoins={coins} isOnHeader />
    </Link>
  );
}

function BuyCoins({ viewer, className }: { viewer: LayoutViewer | null; className: string }) {
  const classes = buttonClasses(
    "coin",
    "small",
    false,
    `focus-visible:outline-on-header focus-visible:shadow-none ${className}`,
  );
  return viewer ? (
    <DialogLink to="/buy-coins" dialogParameter="buy-coins" className={classes}>
      Buy Coins
    </DialogLink>
  ) : (
    <Link to="/login?mode=register&return=buy-coins" discover="none" className={classes}>
      Buy Coins
    </Link>
  );
}

/** A button that logs the viewer out, without a confirmation. */
export function Logout({ className }: { className: string }) {
  return (
    <Form method="post" action="/logout" className="contents">
      <button type="submit" className={className}>
        Logout
      </button>
    </Form>
  );
}

const menuLinkClasses = "menu-link";

type MobileMenuProps = {
  className: string;
  /** The number of open tasks, shown next to the icon. */
  count?: number;
  children: ReactNode;
};

/**
 * The menu of narrow screens. A `details` element, so that it opens without JavaScript. With JavaScript,
 * navigation and Escape close it.
 */
export function MobileMenu({ className, count = 0, children }: MobileMenuProps) {
  const menu = useDetailsMenu();
  return (
    <details {...menu} className={`group ${className}`}>
      <summary
        aria-label={count > 0 ? `Menu, ${count} to do` : "Menu"}
        className="-mr-2 flex h-11 min-w-11 list-none gap-2 items-center justify-center rounded-md hover:bg-green-strong focus-visible:outline-on-header focus-visible:shadow-none [&::-webkit-details-marker]:hidden"
      >
        {count > 0 ? <span className="font-cond font-semibold">{count}</span> : null}
        {/* One path: the home page has few elements to spare. */}
        <svg
          viewBox="0 0 24 24"
          width="24"
          height="24"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          aria-hidden="true"
        >
          <path d="M4 5h16M4 12h16M4 19h16" />
        </svg>
      </summary>
      <nav
        aria-label="Menu"
        className="absolute inset-x-0 top-full max-h-[calc(100*var(--dvh)-3.5rem)] overflow-y-auto border-t border-on-header-2/25 bg-header pb-2 shadow-lift sm:left-auto sm:w-80"
      >
        <ul className="divide-y divide-on-header-2/15">{children}</ul>
      </nav>
    </details>
  );
}

/** A thin progress bar during navigation. */
export function Progress() {
  const isLoading = useNavigation().state !== "idle";
  return (
    <div
      aria-hidden="true"
      className={`absolute inset-x-0 bottom-0 h-0.5 origin-left bg-on-header transition-transform duration-[2s] ease-out ${isLoading ? "scale-x-90" : "scale-x-0 duration-0"}`}
    />
  );
}
