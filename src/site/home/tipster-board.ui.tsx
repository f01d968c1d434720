import { Link } from "react-router";
import { type StandingRow, Standings, useLiveStandings } from "#standings/standings.ui.tsx";
import { Avatar } from "#ui/avatar.tsx";
import { TipsterLink } from "#ui/dialog-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { tabClasses, tabRowClasses } from "#ui/tab-classes.ts";
import { TextLink } from "#ui/text-link.tsx";
import { buildListPath, type ListFilter } from "./list-filter.ts";

/** A tipster's record of the last 30 days. */
export type RecordRow = {
  slug: string;
  name: string;
  photo: string | null;
  hasOnePersonResults: boolean;
  settled: number;
  won: number;
};

export type BoardRows =
  | { kind: "record"; rows: readonly RecordRow[] }
  | { kind: "sales"; rows: readonly StandingRow[] };

const LEADS = {
  record: "Last 30 days, by the lower end of what each record proves.",
  sales: "Ranked by sales, not results. Score = sales × 50 + coins earned × 5 + tips × 20.",
};

/** The five best tipsters, by their record or by their sales. */
export function TipsterBoard({ board, filter }: { board: BoardRows; filter: ListFilter }) {
  return (
    <section aria-labelledby="leaderboard">
      <SectionHeading
        id="leaderboard"
        // Clear of the chips, which stay below the header.
        className="[&_h2]:scroll-mt-12"
        aside={
          <TextLink to="/leaderboard" standalone>
            Full ranking
          </TextLink>
        }
      >
        Tipster Leaderboard
      </SectionHeading>
      <nav aria-label="Rank by" className={tabRowClasses}>
        {(["record", "sales"] as const).map((kind) => (
          <Link
            key={kind}
            to={`${buildListPath({ ...filter, board: kind })}#leaderboard`}
            preventScrollReset
            discover="none"
            aria-current={board.kind === kind ? "page" : undefined}
            className={tabClasses}
          >
            {kind === "record" ? "Record" : "Sales"}
          </Link>
        ))}
      </nav>
      <p className="mt-2 text-xs text-ink-2">{LEADS[board.kind]}</p>
      {board.kind === "record" ? (
        <RecordBoard rows={board.rows} />
      ) : (
        <SalesBoard rows={board.rows} />
      )}
    </section>
  );
}

function SalesBoard({ rows }: { rows: readonly StandingRow[] }) {
  return <Standings rows={useLiveStandings(rows)} />;
}

function RecordBoard({ rows }: { rows: readonly RecordRow[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState compact drawing="post" title="No results yet">
        The leaderboard starts with the first settled tips.
      </EmptyState>
    );
  }
  return (
    <ol className="divide-y divide-rule">
      {rows.map((row, index) => (
        <li key={row.slug} className="flex min-h-14 items-center gap-3 py-1.5">
          <span className="w-5 shrink-0 text-center font-cond text-xl font-bold text-ink-2">
            {index + 1}
          </span>
          <Avatar name={row.name} photo={row.photo} size="small" />
          <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
            <TipsterLink
              slug={row.slug}
              className="tap max-w-full min-w-0 font-semibold no-underline hover:underline hover:underline-offset-4"
            >
              <span className="block truncate">{row.name}</span>
            </TipsterLink>
            <WinRecord
              settledTips={row.settled}
              wonTips={row.won}
              hasOnePersonResults={row.hasOnePersonResults}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}
