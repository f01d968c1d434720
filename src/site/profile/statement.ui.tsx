import { Link } from "react-router";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import type { Profile, ProfileStatementLine } from "./read-profile.server.ts";

const KIND_LABELS: Record<ProfileStatementLine["kind"], string> = {
  purchase: "Coins bought",
  welcome: "Welcome coins",
  grant: "Coins granted",
  unlock: "Race card opened",
  reversal: "Coins returned",
  refund: "Removed after a refund",
  dispute: "Removed after a dispute",
  payout: "Payout",
  forfeit: "Account closed",
  claim: "Claim code redeemed",
};

const columns: readonly TableColumn<ProfileStatementLine>[] = [
  {
    key: "what",
    header: "Description",
    isRowHeader: true,
    cell: (line) => (
      <span>
        {KIND_LABELS[line.kind]}
        {line.raceCard ? (
          <Link
            to={`/race-cards/${line.raceCard.raceCardId}`}
            className="link block text-sm font-normal"
          >
            {line.raceCard.name}
          </Link>
        ) : null}
      </span>
    ),
  },
  {
    key: "when",
    header: "When",
    narrowLine: 2,
    isLabelHidden: true,
    cell: (line) => <DateTime at={line.movedAt} />,
  },
  {
    key: "amount",
    header: "Change",
    narrowLine: 1,
    align: "right",
    cell: (line) => <CoinAmount amountCoins={line.amountCoins} hasSign />,
  },
  {
    key: "balance",
    header: "Balance",
    narrowLine: 2,
    align: "right",
    cell: (line) => <CoinAmount amountCoins={line.balanceCoins} isUnitVisible={false} />,
  },
];

/** Every change of the viewer's coin balance, newest first, with the balance after it. */
export function Statement({
  statement: { lines, isFirst, next },
  className,
}: {
  statement: Profile["statement"];
  className?: string;
}) {
  return (
    <section aria-labelledby="statement" className={className}>
      <SectionHeading id="statement" lead="Every change to your coins, with the balance after it.">
        Statement
      </SectionHeading>
      <Table
        caption="Statement"
        columns={columns}
        rows={lines}
        rowKey={(line) => String(line.id)}
        empty={<EmptyState compact drawing="ledger" title="No transactions yet" />}
        className="mt-2"
      />
      <Pagination
        label="Statement"
        className="mt-4"
        newerHref={isFirst ? null : "/profile#statement"}
        newerLabel="Newest"
        olderHref={next ? `/profile?before=${next}#statement` : null}
      />
    </section>
  );
}
