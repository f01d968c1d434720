import type { ListedRow, TipsterFigures } from "#sales/sales.ui.tsx";
import type { RaceCardPreview } from "#tips/tips.server.ts";

/** A row of a list, which is the same for every viewer, and the creator of its race card. */
export type SharedRow = Pick<ListedRow, "figures"> & {
  raceCard: ListedRow["raceCard"] & { venueName: string };
  creatorId: string;
};

/** Returns a race card for a list of rows, with only the fields that a row shows. */
export function toSharedRow(
  { id, creator, venue, races, scratchedRaces }: RaceCardPreview,
  figures: TipsterFigures | null,
): SharedRow {
  return {
    raceCard: {
      id,
      venueName: venue.name,
      creator: {
        name: creator.name,
        photo: creator.photo,
        record: { settled: creator.record.settled, won: creator.record.won },
        hasOnePersonResults: creator.hasOnePersonResults,
      },
      races: races.map(({ raceNumber, offAt, confidence }) => ({ raceNumber, offAt, confidence })),
      scratchedRaces,
    },
    figures,
    creatorId: creator.id,
  };
}

/** Returns a row with the viewer's relation to it. */
export function toListedRow(
  { creatorId, ...row }: SharedRow,
  {
    viewerId,
    opened,
    requestId,
  }: {
    viewerId: string | null;
    /** The race cards that the viewer has opened. */
    opened: ReadonlySet<string>;
    /** Unique per page request, so that each page has its own idempotency keys. */
    requestId: string;
  },
) {
  const { id } = row.raceCard;
  return {
    ...row,
    isOpened: opened.has(id),
    isOwn: creatorId === viewerId,
    idempotencyKey: viewerId && `${requestId}:${id}`,
  };
}
