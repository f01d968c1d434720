import { SuspensionButton } from "#creators/creators.ui.tsx";
import { Badge } from "#ui/badge.tsx";
import { Panel } from "#ui/panel.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { UserDetails } from "./read-user.server.ts";

/** The creator part of a user: record, earnings and suspension. */
export function CreatorPanel({
  creator,
  canBeSuspended,
}: {
  creator: NonNullable<UserDetails["creator"]>;
  /** Whether the viewer can suspend or reinstate them. */
  canBeSuspended: boolean;
}) {
  const { earnings, bankDetails } = creator;
  const renderRand = (amountCents: number) => (
    <RandAmount amountCents={amountCents} areCentsShown size="large" />
  );
  return (
    <Panel
      title={
        <span className="inline-flex flex-wrap items-center gap-2">
          {creator.name}
          {creator.suspendedAt ? (
            <Badge tone="danger">Suspended</Badge>
          ) : (
            <Badge>{creator.kind}</Badge>
          )}
        </span>
      }
      aside={
        canBeSuspended ? (
          <SuspensionButton
            creator={{
              id: creator.id,
              name: creator.name,
              isSuspended: creator.suspendedAt !== null,
            }}
          />
        ) : null
      }
    >
      <div className="grid gap-4">
        <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-sm text-ink-2">
          <WinRecord wonTips={creator.record.won} settledTips={creator.record.settled} />
          <TextLink to={`/admin/tips?tipster=${creator.slug}`}>{creator.record.tips} tips</TextLink>
          <TextLink to={`/tipsters/${creator.slug}`}>Public profile</TextLink>
          <span>
            Since <DateTime at={creator.approvedAt} />
          </span>
          <span>
            {bankDetails ? `Account …${bankDetails.accountLast4}` : "No bank details"}
            {bankDetails?.blockedUntil ? (
              <>
                {" "}
                (changed, no payout before <DateTime at={bankDetails.blockedUntil} />)
              </>
            ) : null}
          </span>
        </div>
        <StatRow
          stats={[
            { label: "Cards sold", value: earnings.sales },
            { label: "Earned", value: renderRand(earnings.totalCents) },
            { label: "Pending", value: renderRand(earnings.pendingCents) },
            { label: "Held", value: renderRand(earnings.heldCents) },
            { label: "Payable", value: renderRand(earnings.payableCents) },
            { label: "In a payout", value: renderRand(earnings.inPayoutCents) },
            { label: "Paid", value: renderRand(earnings.paidCents) },
          ]}
        />
      </div>
    </Panel>
  );
}
