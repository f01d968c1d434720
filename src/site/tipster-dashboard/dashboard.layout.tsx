import { useEffect } from "react";
import { Form, Outlet, useLocation, useNavigate, useSearchParams } from "react-router";
import { broadcastSessionChange } from "#accounts/accounts.ui.tsx";
import { type Creator, requireCreator } from "#creators/creators.server.ts";
import { ProfilePhoto } from "#creators/creators.ui.tsx";
import { now } from "#platform/clock.server.ts";
import { countTipsToSettle } from "#tips/tips.server.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { LinkTabs } from "#ui/link-tabs.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { LevelBadge } from "#ui/racing/level-badge.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/dashboard.layout.ts";

export { shouldRevalidate } from "#tips/tips.ui.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const creator = await requireCreator(context);
  return { creator, toSettle: await countTipsToSettle(creator.id, now()) };
}

const DASHBOARD_PATH = "/tipster-dashboard";

/** The header and tabs of every dashboard page. */
export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { creator, toSettle: tipsToSettle } = loaderData;
  const { pathname } = useLocation();
  useWelcomeToast(creator);
  const isAt = (...paths: string[]) =>
    paths.some((path) => pathname === `${DASHBOARD_PATH}${path}`);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6 sm:py-8">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3 sm:gap-x-5">
        <ProfilePhoto
          name={creator.name}
          photo={creator.photo}
          action={`${DASHBOARD_PATH}/photo`}
        />
        <div className="min-w-40 flex-1">
          <p className="caps text-green-ink">
            {creator.kind === "analyst" ? "Analyst dashboard" : "Tipster dashboard"}
          </p>
          <h1 className="mt-0.5 font-cond text-3xl font-bold tracking-[-0.015em] break-words sm:text-4xl">
            {creator.name}
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            <WinRecord settledTips={creator.record.settled} wonTips={creator.record.won} />
            <LevelBadge level={creator.level} />
            {creator.kind === "analyst" ? <Badge>Analyst</Badge> : null}
          </p>
          {creator.specialization ? (
            <p className="mt-1 hidden text-sm text-ink-2 sm:block">{creator.specialization}</p>
          ) : null}
          <p className="mt-1 text-sm">
            <TextLink to={`/tipsters/${creator.slug}`} standalone>
              View your public page
            </TextLink>
          </p>
        </div>
        <div className="flex basis-full flex-wrap gap-2 sm:basis-auto">
          <ButtonLink
            to={`${DASHBOARD_PATH}/profile`}
            variant="secondary"
            size="small"
            className="max-sm:px-2 max-sm:text-xs"
          >
            Edit Profile
          </ButtonLink>
          <ButtonLink
            to={`${DASHBOARD_PATH}/password`}
            variant="secondary"
            size="small"
            className="max-sm:px-2 max-sm:text-xs"
          >
            Change Password
          </ButtonLink>
          <Form method="post" action="/logout">
            <Button
              type="submit"
              variant="quiet"
              size="small"
              className="max-sm:px-2 max-sm:text-xs"
            >
              Logout
            </Button>
          </Form>
        </div>
      </header>
      {creator.suspendedAt ? (
        <FormMessage type="warning" title="Your account is suspended" className="mt-5">
          Your race cards are off sale. You can't publish tips, enter results or change your photo.
          You keep your earnings, and we pay them whatever the amount.{" "}
          <TextLink to="/contact">Contact us</TextLink>
        </FormMessage>
      ) : null}
      <div className="mt-5">
        <LinkTabs
          label="Dashboard"
          tabs={[
            {
              to: DASHBOARD_PATH,
              label: "Today",
              current: isAt("", "/") || pathname.endsWith("/note"),
            },
            {
              to: `${DASHBOARD_PATH}/tips`,
              label: "My Tips",
              count: tipsToSettle > 0 ? tipsToSettle : undefined,
              current: isAt("/tips", "/result", "/results"),
            },
            { to: `${DASHBOARD_PATH}/add`, label: "Add Daily Racing Tips", current: isAt("/add") },
            {
              to: `${DASHBOARD_PATH}/earnings`,
              label: "Earnings",
              current: isAt("/earnings", "/bank-details", "/payout"),
            },
            {
              to: `${DASHBOARD_PATH}/profile`,
              label: "Profile",
              current: isAt("/profile", "/password", "/photo", "/photo/remove"),
            },
          ]}
        />
      </div>
      <div className="pt-6">
        <Outlet />
      </div>
    </div>
  );
}

const FIRST_WELCOME_TITLES = { tipster: "You're now a tipster", analyst: "You're now an analyst" };

/** Shows a welcome toast once, after a sign-in as a creator. */
function useWelcomeToast({ name, kind }: Pick<Creator, "name" | "kind">): void {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const isNew = search.has("welcome");
  const isFirst = search.get("welcome") === "new";
  useEffect(() => {
    if (!isNew) return;
    const title = isFirst ? FIRST_WELCOME_TITLES[kind] : "Welcome Back!";
    showToast({ type: "success", title, message: name });
    broadcastSessionChange();
    navigate(DASHBOARD_PATH, { replace: true, preventScrollReset: true });
  }, [isNew, isFirst, name, kind, navigate]);
}
