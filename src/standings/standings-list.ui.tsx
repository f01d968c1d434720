import { Avatar } from "#ui/avatar.tsx";
import { TipsterLink } from "#ui/dialog-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { WinRecord } from "#ui/racing/win-record.tsx";

/** The displayed fields of a `Standing`. */
export type StandingRow = {
  rank: number;
  slug: string;
  displayName: string;
  photo: string | null;
  tips: number;
  sales: number;
  coinsEarned: number;
  settled: number;
  won: number;
  hasOnePersonResults: boolean;
  score: number;
};

/** The creators with the highest sales scores, each with their track record. */
export function Standings({ rows }: { rows: readonly StandingRow[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState compact drawing="post" title="No sales yet">
        The leaderboard starts when the first race card is opened.
      </EmptyState>
    );
  }
  return (
    <ol className="divide-y divide-rule">
      {rows.map((row) => (
        // The key is the rank, so that a change of ranks updates the content of rows and keeps their elements.
        <li key={row.rank} className="flex items-center gap-3 py-2.5">
          <span className="w-5 shrink-0 text-center font-cond text-xl font-bold text-ink-2">
            <span className="sr-only">Rank </span>
            {row.rank}
          </span>
          <Avatar name={row.displayName} photo={row.photo} />
          <div className="min-w-0 flex-1">
            <p className="flex items-baseline justify-between gap-3">
              <TipsterLink
                slug={row.slug}
                className="tap min-w-0 font-semibold no-underline hover:underline hover:underline-offset-4"
              >
                <span className="block truncate">{row.displayName}</span>
              </TipsterLink>
              <span key={row.slug} className="font-cond text-lg font-bold">
                <span className="sr-only">Score </span>
                {formatInteger(row.score)}
              </span>
            </p>
            <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs text-ink-2">
              <WinRecord
                settledTips={row.settled}
                wonTips={row.won}
                hasOnePersonResults={row.hasOnePersonResults}
              />
              <span key={row.slug} className="whitespace-nowrap">
                {formatInteger(row.sales)} sold · {formatInteger(row.tips)}{" "}
                {row.tips === 1 ? "tip" : "tips"}
              </span>
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
