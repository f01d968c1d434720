import { ENTERED_POSITIONS, formatDividend, formatStartingPrice } from "#domain/race-result.ts";
import { Table } from "#ui/table.tsx";
import { formatPosition } from "./format-position.ts";
import type { StoredRaceResult, StoredResultRunner } from "./results/read-results.server.ts";

/** The first three horses of a result, and those behind them for which places are paid, one per line. */
export function PlacedHorses({
  runners,
  placesPaid,
}: Pick<StoredRaceResult, "runners" | "placesPaid">) {
  const isAmongFirst = ({ position }: StoredResultRunner) =>
    position !== null && position <= Math.max(ENTERED_POSITIONS, placesPaid);
  return (
    <ul aria-label="Placed horses" className="grid gap-1 font-semibold">
      {runners.filter(isAmongFirst).map((runner) => (
        <li key={runner.number} className="flex gap-2">
          <span className="w-6 shrink-0 text-ink-2">{formatPosition(runner, runners)}</span>
          <span className="min-w-0 break-words">{formatHorse(runner)}</span>
        </li>
      ))}
    </ul>
  );
}

const formatHorse = ({ number, horseName }: StoredResultRunner) =>
  horseName ? `${number} ${horseName}` : `${number}`;

/** The runners of a result with positions, starting prices and dividends. */
export function RaceResultTable({
  caption,
  runners,
}: {
  caption: string;
  runners: readonly StoredResultRunner[];
}) {
  const notReported = <span className="text-ink-3">–</span>;
  return (
    <Table
      caption={caption}
      rows={runners}
      rowKey={({ number }) => String(number)}
      columns={[
        {
          key: "position",
          header: "Position",
          cell: (runner) => formatPosition(runner, runners),
        },
        {
          key: "horse",
          header: "Horse",
          isRowHeader: true,
          isUserText: true,
          cell: formatHorse,
        },
        {
          key: "price",
          header: "Starting price",
          align: "right",
          cell: ({ startingPrice }) =>
            startingPrice ? formatStartingPrice(startingPrice) : notReported,
        },
        {
          key: "win",
          header: "Tote win",
          align: "right",
          cell: ({ winDividendCents }) =>
            winDividendCents === null ? notReported : `R${formatDividend(winDividendCents)}`,
        },
        {
          key: "place",
          header: "Tote place",
          align: "right",
          cell: ({ placeDividendCents }) =>
            placeDividendCents === null ? notReported : `R${formatDividend(placeDividendCents)}`,
        },
      ]}
    />
  );
}
