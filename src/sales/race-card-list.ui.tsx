import type { ReactNode } from "react";
import { formatDate } from "#domain/calendar.ts";
import type { OpenedTip } from "./opened-cards.server.ts";
import type { PanelRaceCard } from "./race-card-panel.ui.tsx";
import { RaceCardRow, type RowRaceCard, type TipsterFigures } from "./race-card-row.ui.tsx";
import { useUnlockAndShow } from "./use-unlock-response.ts";

/** A race card in a list, with the viewer's relation to it. */
export type ListedRaceCard = {
  raceCard: PanelRaceCard;
  /** The tips if the viewer has opened the race card, otherwise null. */
  tips: readonly OpenedTip[] | null;
  isOwn: boolean;
  /** Null for a guest. */
  idempotencyKey: string | null;
};

/** A race card of a list in rows, with the viewer's relation to it. */
export type ListedRow = {
  raceCard: RowRaceCard;
  figures: TipsterFigures | null;
  isOpened: boolean;
  isOwn: boolean;
  /** Null for a guest. */
  idempotencyKey: string | null;
};

/** Rows of race cards that the viewer can open. An opened race card is shown on its own page. */
export function RaceCardRows<Row extends ListedRow>({
  rows,
  now,
  level,
  getTexts,
}: {
  rows: readonly Row[];
  now: Date;
  /** The heading level of the rows. */
  level: 3 | 4;
  /** Returns what the list shows apart from the tipster's record. */
  getTexts?: (row: Row) => { title?: string; note?: ReactNode };
}) {
  const handleResponse = useUnlockAndShow();
  return (
    <div className="card-rows">
      {rows.map((row) => (
        <RaceCardRow
          key={row.raceCard.id}
          raceCard={row.raceCard}
          figures={row.figures}
          isOpened={row.isOpened}
          isOwn={row.isOwn}
          idempotencyKey={row.idempotencyKey}
          now={now}
          level={level}
          onResponse={handleResponse}
          {...getTexts?.(row)}
        />
      ))}
    </div>
  );
}

/** The race cards of one venue or, without the creator, of one tipster. */
export function RaceCardList({
  raceCards,
  now,
  hasCreator = true,
}: {
  raceCards: readonly ListedRaceCard[];
  readAt: Date;
  now: Date;
  hasCreator?: boolean;
}) {
  const rows = raceCards.map(({ tips, ...row }) => ({
    ...row,
    figures: null,
    isOpened: tips !== null,
  }));
  return (
    <RaceCardRows
      rows={rows}
      now={now}
      level={3}
      getTexts={({ raceCard: { venue, raceDate } }) => ({
        title: hasCreator ? undefined : venue.name,
        note: formatDate(raceDate, "short"),
      })}
    />
  );
}
