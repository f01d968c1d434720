import { findViewerByRequest } from "#accounts/accounts.server.ts";
import { dateAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { readTipReveals } from "#proof/proof.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readOpenedTips } from "./opened-cards.server.ts";

/**
 * GET /race-cards/:id/proof.json: for a buyer, the log entries of the race card's tips with what fits their
 * commitments, the analysis too. Each tip from the off of its race: before that, the file would be a tip with
 * evidence to resell.
 */
export async function serveRaceCardProof(c: HttpContext): Promise<Response> {
  c.header("Cache-Control", "private, no-store");
  const viewer = await findViewerByRequest(c.req.raw);
  if (!viewer) return jsonError(c, 401, "You are not logged in.");
  const raceCardId = c.req.param("id") ?? "";
  const [tips, raceCard] = isId(raceCardId)
    ? await Promise.all([
        readOpenedTips(viewer.id, [raceCardId]).then((opened) => opened.get(raceCardId)),
        readRaceCardSummaries([raceCardId]).then((summaries) => summaries.get(raceCardId)),
      ])
    : [];
  if (!tips || !raceCard)
    return jsonError(c, 404, "You have not opened a race card with this address.");
  const at = now();
  const isOver = raceCard.raceDate < dateAt(at);
  const startedTips = tips.filter(
    (tip) => isOver || tip.isOfficial || (tip.offAt !== null && new Date(tip.offAt) <= at),
  );
  const reveals = await readTipReveals(startedTips.map((tip) => tip.id));
  c.header(
    "Content-Disposition",
    `attachment; filename="furlong-proof-${raceCard.venue.slug}-${raceCard.raceDate}.json"`,
  );
  return c.json({
    raceCard: raceCard.id,
    venue: raceCard.venue.name,
    date: raceCard.raceDate,
    /** Tips whose race has not started. */
    tipsToCome: tips.length - startedTips.length,
    tips: reveals.map(({ tipId, ...reveal }) => ({
      race: startedTips.find((tip) => tip.id === tipId)?.raceNumber,
      ...reveal,
    })),
  });
}
