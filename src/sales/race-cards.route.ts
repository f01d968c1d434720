import { dateAt, isCalendarDate } from "#domain/calendar.ts";
import { CARD_PRICE_COINS, COIN_CENTS } from "#domain/coins.ts";
import { findViewerByRequest } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { findVenueByReference } from "#racing/racing.server.ts";
import {
  listRaceCardsOnSale,
  type PublicTip,
  parseInstantCursor,
  parseTipCursor,
  type RaceCardPreview,
  readPublicTips,
  readRaceCardSummaries,
} from "#tips/tips.server.ts";
import { type OpenedTip, readOpenedTips } from "./opened-cards.server.ts";

const PAGE_SIZE = 20;

/**
 * GET /api/race-cards: the race cards on sale, soonest off first, with the tips of those that the
 * caller has opened. For a date in the past, the public tips of that date.
 */
export async function serveRaceCards(c: HttpContext): Promise<Response> {
  const { venue: venueName, date, cursor } = c.req.query();
  if (date !== undefined && !isCalendarDate(date))
    return jsonError(c, 400, "Write the date as YYYY-MM-DD.");
  const isPast = date !== undefined && date < dateAt(now());
  if (cursor && !(isPast ? parseTipCursor(cursor) : parseInstantCursor(cursor)))
    return jsonError(c, 400, "That cursor belongs to another list. Start again without a cursor.");
  const venue = venueName ? await findVenueByReference(venueName) : null;
  if (venueName && !venue) return jsonError(c, 404, "Venue not found.");
  c.header("Cache-Control", "private, no-store");
  const venueId = venue?.id ?? null;
  const at = now();
  const viewer = await findViewerByRequest(c.req.raw);
  if (isPast)
    return c.json(
      await readPastRaceCards({ at, date, venueId, cursor, viewerId: viewer?.id ?? null }),
    );

  const page = await listRaceCardsOnSale({ at, venueId, raceDate: date, cursor, limit: PAGE_SIZE });
  const opened = viewer
    ? await readOpenedTips(
        viewer.id,
        page.raceCards.map((raceCard) => raceCard.id),
      )
    : new Map<string, OpenedTip[]>();
  return c.json({
    raceCards: page.raceCards.map((raceCard) =>
      toRaceCardOnSale(raceCard, opened.get(raceCard.id)),
    ),
    next: page.next,
  });
}

function toRaceCardOnSale(raceCard: RaceCardPreview, tips: OpenedTip[] | undefined) {
  return {
    id: raceCard.id,
    venue: raceCard.venue.name,
    date: raceCard.raceDate,
    tipster: raceCard.creator.name,
    price: CARD_PRICE_COINS,
    priceCents: CARD_PRICE_COINS * COIN_CENTS,
    opened: tips !== undefined,
    onSale: raceCard.isOnSale,
    meetingConfirmed: raceCard.isMeetingConfirmed,
    racesRun: raceCard.racesRun,
    teaser: raceCard.teaser,
    tips: tips ?? raceCard.races.map(toLockedTip),
  };
}

/** Returns the fields of a race that are visible before it is paid for or public. */
function toLockedTip(race: RaceCardPreview["races"][number]) {
  return {
    raceNumber: race.raceNumber,
    offAt: race.offAt?.toISOString() ?? null,
    tipType: race.tipType,
    confidence: race.confidence,
  };
}

async function readPastRaceCards(query: {
  at: Date;
  date: string;
  venueId: string | null;
  cursor: string | undefined;
  viewerId: string | null;
}) {
  const { at, date, venueId, cursor, viewerId } = query;
  const { tips, next } = await readPublicTips({
    at,
    raceDate: date,
    venueId,
    cursor,
    limit: PAGE_SIZE * 4,
  });
  const raceCardIds = [...new Set(tips.map((tip) => tip.raceCardId))];
  const summaries = await readRaceCardSummaries(raceCardIds);
  const opened = viewerId
    ? await readOpenedTips(viewerId, raceCardIds)
    : new Map<string, OpenedTip[]>();
  return {
    raceCards: [...summaries.values()].map((raceCard) => ({
      id: raceCard.id,
      venue: raceCard.venue.name,
      date: raceCard.raceDate,
      tipster: raceCard.creator.name,
      price: CARD_PRICE_COINS,
      priceCents: CARD_PRICE_COINS * COIN_CENTS,
      opened: opened.has(raceCard.id),
      onSale: false,
      racesRun: tips.filter((tip) => tip.raceCardId === raceCard.id).length,
      teaser: "",
      tips:
        opened.get(raceCard.id) ??
        tips.filter((tip) => tip.raceCardId === raceCard.id).map(toSelection),
    })),
    next,
  };
}

/** Returns the public fields of a tip after its race date: everything except the analysis. */
function toSelection(tip: PublicTip) {
  return {
    raceNumber: tip.raceNumber,
    offAt: tip.offAt?.toISOString() ?? null,
    tipType: tip.tipType,
    confidence: tip.confidence,
    horseNumber: tip.horseNumber,
    horseName: tip.horseName,
    result: tip.result,
    publishedAt: tip.publishedAt.toISOString(),
  };
}
