import type { RaceCardPreview } from "#tips/tips.server.ts";
import type { OpenedTip } from "./opened-cards.server.ts";
import type { ListedRaceCard, ListedRow } from "./race-card-list.ui.tsx";
import type { TipsterFigures } from "./race-card-row.ui.tsx";

/** The viewer of a list and the race cards that they have opened. */
type ListViewer = {
  viewerId: string | null;
  opened: Map<string, OpenedTip[]> | null;
  /** Unique per page request, so that each page has its own idempotency keys. */
  requestId: string;
};

/** Returns a race card for a list, with only the fields that the list shows to this viewer. */
export function toListedRaceCard(
  preview: RaceCardPreview,
  { viewerId, opened, requestId }: ListViewer,
): ListedRaceCard {
  const { creator, venue } = preview;
  return {
    raceCard: {
      id: preview.id,
      raceDate: preview.raceDate,
      teaser: preview.teaser,
      isMeetingConfirmed: preview.isMeetingConfirmed,
      scratchedRaces: preview.scratchedRaces,
      venue: { name: venue.name, location: venue.location },
      creator: {
        slug: creator.slug,
        name: creator.name,
        kind: creator.kind,
        profileImage: creator.profileImage,
        record: creator.record,
        hasOnePersonResults: creator.hasOnePersonResults,
      },
      races: preview.races.map(({ raceNumber, offAt, tipType, confidence }) => ({
        raceNumber,
        offAt,
        tipType,
        confidence,
      })),
    },
    tips: opened?.get(preview.id) ?? null,
    isOwn: creator.id === viewerId,
    idempotencyKey: viewerId && `${requestId}:${preview.id}`,
  };
}

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
        profileImage: creator.profileImage,
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
  { viewerId, opened, requestId }: ListViewer,
) {
  const { id } = row.raceCard;
  return {
    ...row,
    isOpened: opened?.has(id) ?? false,
    isOwn: creatorId === viewerId,
    idempotencyKey: viewerId && `${requestId}:${id}`,
  };
}
