import { dateAt, isCalendarDate } from "#domain/calendar.ts";
import { CARD_PRICE_COINS, COIN_CENTS } from "#domain/coins.ts";
import { findViewerByRequest } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { findVenueByReference } from "#racing/racing.server.ts";
import {
  listRaceCardsOnSale,
  type PublicTip,
  type RaceCardPreview,
  readInstantCursor,
  readPublicTips,
  readRaceCardSummaries,
  readTipCursor,
} from "#tips/tips.server.ts";
import { type OpenedTip, readOpenedTips } from "./opened-cards.server.ts";

const PAGE = 20;

/**
 * GET /api/race-cards: the race cards on sale, soonest off first, with the tips of those that the
 * caller has opened. For a date in the past, the public tips of that date.
 */
export async function raceCards(c: HttpContext): Promise<Response> {
  const { venue: venueName, date, cursor } = c.req.query();
  if (date !== undefined && !isCalendarDate(date))
    return jsonError(c, 400, "Write the date as YYYY-MM-DD.");
  const isOver = date !== undefined && date < dateAt(now());
  if (cursor && !(isOver ? readTipCursor(cursor) : readInstantCursor(cursor)))
    return jsonError(c, 400, "That cursor belongs to another list. Start again without a cursor.");
  const venue = venueName ? await findVenueByReference(venueName) : null;
  if (venueName && !venue) return jsonError(c, 404, "Venue not found.");
  c.header("Cache-Control", "private, no-store");
  const venueId = venue?.id ?? null;
  const at = now();
  const viewer = await findViewerByRequest(c.req.raw);
  if (isOver)
    return c.json(await pastCards({ at, date, venueId, cursor, viewerId: viewer?.id ?? null }));

  const page = await listRaceCardsOnSale({ at, venueId, raceDate: date, cursor, limit: PAGE });
  const opened = viewer
    ? await readOpenedTips(
        viewer.id,
        page.raceCards.map((card) => card.id),
      )
    : new Map<string, OpenedTip[]>();
  return c.json({
    raceCards: page.raceCards.map((card) => asOffered(card, opened.get(card.id))),
    next: page.next,
  });
}

function asOffered(card: RaceCardPreview, tips: OpenedTip[] | undefined) {
  return {
    id: card.id,
    venue: card.venue.name,
    date: card.raceDate,
    tipster: card.creator.name,
    price: CARD_PRICE_COINS,
    priceCents: CARD_PRICE_COINS * COIN_CENTS,
    opened: tips !== undefined,
    onSale: card.isOnSale,
    racesRun: card.racesRun,
    teaser: card.teaser,
    tips: tips ?? card.races.map(locked),
  };
}

/** Returns the fields of a race that are visible before it is paid for or public. */
function locked(race: RaceCardPreview["races"][number]) {
  return {
    raceNumber: race.raceNumber,
    offAt: race.offAt?.toISOString() ?? null,
    tipType: race.tipType,
    confidence: race.confidence,
  };
}

async function pastCards(query: {
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
    limit: PAGE * 4,
  });
  const ids = [...new Set(tips.map((tip) => tip.raceCardId))];
  const summaries = await readRaceCardSummaries(ids);
  const opened = viewerId ? await readOpenedTips(viewerId, ids) : new Map<string, OpenedTip[]>();
  return {
    raceCards: [...summaries.values()].map((card) => ({
      id: card.id,
      venue: card.venue.name,
      date: card.raceDate,
      tipster: card.creator.name,
      price: CARD_PRICE_COINS,
      priceCents: CARD_PRICE_COINS * COIN_CENTS,
      opened: opened.has(card.id),
      onSale: false,
      racesRun: tips.filter((tip) => tip.raceCardId === card.id).length,
      teaser: "",
      tips: opened.get(card.id) ?? tips.filter((tip) => tip.raceCardId === card.id).map(selection),
    })),
    next,
  };
}

/** Returns the public fields of a tip after its race date: everything except the analysis. */
function selection(tip: PublicTip) {
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
