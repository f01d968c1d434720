import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { UserBadges } from "#accounts/accounts.ui.tsx";
import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { Badge } from "#ui/badge.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/user.page.ts";
import { readUser } from "./read-user.server.ts";
import { CloseAccountPanel, GrantPanel, NotePanel, SignOutPanel } from "./user-actions.ui.tsx";
import { CreatorPanel } from "./user-creator.ui.tsx";
import { UserHistory } from "./user-history.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "User, Admin", description: "One account.", isPrivate: true });

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const before = readListParams(request).readNumber("after");
  const isPast = before !== null && before < now().getTime();
  const user = await readUser(params.userId, isPast ? new Date(before) : null);
  if (!user) throw data(null, { status: 404 });
  return { ...user, isSelf: admin.id === user.account.id, grantKey: randomUUID() };
}

/** One account: its balance, its history and the actions on it. */
export default function User({ loaderData }: Route.ComponentProps) {
  const { account, wallet, opened, creator, history, isSelf, grantKey } = loaderData;
  return (
    <div className="grid gap-6">
      <div>
        <TextLink to="/admin/users" standalone className="text-sm">
          All users
        </TextLink>
        <SectionHeading
          className="mt-2"
          aside={account.isClosed ? <Badge>Closed</Badge> : <UserBadges user={account} />}
          lead={account.isClosed ? "Account closed. Payment records are kept." : account.email}
        >
          {account.name}
        </SectionHeading>
      </div>
      <StatRow
        stats={[
          {
            label: "Balance",
            value: (
              <CoinAmount amountCoins={wallet.balanceCoins} isUnitVisible={false} size="large" />
            ),
            note: wallet.isFrozen ? "Frozen by a dispute or refund" : undefined,
          },
          ...(wallet.owedCoins > 0
            ? [
                {
                  label: "Owes",
                  value: (
                    <CoinAmount amountCoins={wallet.owedCoins} isUnitVisible={false} size="large" />
                  ),
                },
              ]
            : []),
          {
            label: "Cards opened",
            value: opened.raceCards,
            note: `${opened.tips} ${opened.tips === 1 ? "race" : "races"}`,
          },
          {
            label: "Signed in",
            value: account.sessions,
            note: account.lastSeenAt ? `last ${formatInstant(account.lastSeenAt)}` : "never",
          },
        ]}
      />
      <p className="text-sm text-ink-2">
        Created <DateTime at={account.createdAt} />
        {account.agreedAt ? (
          <>
            , terms agreed <DateTime at={account.agreedAt} />
          </>
        ) : (
          ", terms not accepted yet"
        )}
        .{" "}
        {account.roles.length > 0 ? (
          <TextLink to={`/admin/audit?actor=${account.id}`}>Actions by this user</TextLink>
        ) : null}
      </p>
      {creator ? (
        <CreatorPanel creator={creator} canBeSuspended={!account.isClosed && !isSelf} />
      ) : null}
      {account.isClosed ? null : <NotePanel userId={account.id} isCreator={creator !== null} />}
      <UserHistory {...history} />
      {account.isClosed ? null : (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <GrantPanel userId={account.id} isSelf={isSelf} idempotencyKey={grantKey} />
          <SignOutPanel userId={account.id} sessions={account.sessions} />
          <CloseAccountPanel userId={account.id} hasRole={account.roles.length > 0} />
        </div>
      )}
    </div>
  );
}
