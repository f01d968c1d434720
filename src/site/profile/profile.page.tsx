import { Bell, KeyRound, LogOut, Mail, PenLine, Ticket, Trash2, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { Link, type ShouldRevalidateFunctionArgs } from "react-router";
import { requireViewer } from "#accounts/accounts.server.ts";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import type { Route } from "./+types/profile.page.ts";
import {
  LogoutButton,
  ProfileBalance,
  ProfileHeader,
  ProfileStatistics,
  RecentlyUnlocked,
  RecentPurchases,
} from "./profile.ui.tsx";
import { readProfile } from "./read-profile.server.ts";
import { Statement } from "./statement.ui.tsx";

const SHOWN_PURCHASES = 3;
const SHOWN_RACE_CARDS = 4;

export async function loader({ context, request }: Route.LoaderArgs) {
  const viewer = await requireViewer(context, request);
  const beforeLineId = Number(new URL(request.url).searchParams.get("before"));
  return await readProfile(
    viewer,
    Number.isSafeInteger(beforeLineId) && beforeLineId > 0 ? beforeLineId : null,
  );
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export const meta = () =>
  pageMeta({
    title: "Your profile",
    description: "Your coins, your race cards, your purchases and your account.",
    isPrivate: true,
  });

export default function ProfilePage({ loaderData: profile }: Route.ComponentProps) {
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <ProfileHeader profile={profile} level={1} />
        <LogoutButton />
      </div>
      <div className="mt-8 grid items-start gap-x-8 gap-y-10 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <ProfileBalance profile={profile} />
          <ProfileStatistics profile={profile} />
        </div>
        <RecentlyUnlocked profile={profile} shownCount={SHOWN_RACE_CARDS} />
        <RecentPurchases profile={profile} shownCount={SHOWN_PURCHASES} />
        <Account />
      </div>
      <Statement statement={profile.statement} className="mt-10" />
    </div>
  );
}

const accountLinks = [
  ["/profile/name", "Change name", PenLine],
  ["/profile/email", "Change email", Mail],
  ["/profile/emails", "Email settings", Bell],
  ["/profile/password", "Change password", KeyRound],
  ["/profile/claim-code", "Enter a claim code", Ticket],
  ["/profile/sign-out-everywhere", "Log out everywhere", LogOut],
] as const;

/** Links to the account settings. */
function Account() {
  return (
    <section aria-labelledby="account">
      <SectionHeading id="account">Account</SectionHeading>
      <ul className="mt-1">
        {accountLinks.map(([to, label, Icon]) => (
          <AccountAction key={to} icon={<Icon aria-hidden="true" />}>
            <Link to={to} className={linkClasses}>
              {label}
            </Link>
          </AccountAction>
        ))}
        <AccountAction icon={<UserRound aria-hidden="true" />}>
          <a href="/profile/data" download className={linkClasses}>
            Download my data
          </a>
        </AccountAction>
        <AccountAction icon={<Trash2 aria-hidden="true" />}>
          <Link to="/profile/delete" className={`${linkClasses} text-danger-ink`}>
            Delete account
          </Link>
        </AccountAction>
      </ul>
    </section>
  );
}

const linkClasses =
  "flex min-h-11 flex-1 items-center no-underline hover:underline hover:underline-offset-4";

function AccountAction({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 border-b border-rule [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3">
      {icon}
      {children}
    </li>
  );
}
