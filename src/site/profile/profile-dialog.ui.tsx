import { useEffect } from "react";
import { Link, useFetcher } from "react-router";
import { Skeleton } from "#ui/skeleton.tsx";
import type { loader } from "./profile.page.tsx";
import {
  LogoutButton,
  ProfileBalance,
  ProfileHeader,
  ProfileStatistics,
  RecentlyUnlocked,
  RecentPurchases,
} from "./profile.ui.tsx";

const SHOWN_PURCHASES = 3;
const SHOWN_RACE_CARDS = 4;

/** A short version of the viewer's profile page. */
export default function ProfileDialog() {
  const { load, data: profile } = useFetcher<typeof loader>();
  useEffect(() => {
    void load("/profile");
  }, [load]);
  if (!profile) {
    return (
      <div className="grid gap-4">
        <Skeleton label="Loading" className="h-16 w-full" />
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-32 w-full" />
      </div>
    );
  }
  return (
    <div className="grid gap-6">
      <ProfileHeader profile={profile} />
      <div className="grid gap-3">
        <ProfileBalance profile={profile} />
        <ProfileStatistics profile={profile} />
      </div>
      <RecentPurchases profile={profile} shownCount={SHOWN_PURCHASES} />
      <RecentlyUnlocked profile={profile} shownCount={SHOWN_RACE_CARDS} />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Link to="/profile" className="link tap">
          Full statement and account settings
        </Link>
        <LogoutButton />
      </div>
    </div>
  );
}
