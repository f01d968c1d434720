import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import type { AsJson } from "#domain/as-json.ts";
import type { Tip } from "#domain/tip.ts";
import { toCanonicalJson } from "./canonical-json.ts";
import { type CreatorChains, SALT_BYTES } from "./creator-chains.server.ts";
import { computeCommitment, type EntryBatch } from "./entry-batch.server.ts";

/** Bounds one transaction. The next run of the job adds the rest. */
const MAX_TIPS = 500;

type UnrecordedTip = AsJson<
  Pick<
    Tip,
    | "id"
    | "raceDate"
    | "raceNumber"
    | "tipType"
    | "confidence"
    | "offAt"
    | "horseNumber"
    | "horseName"
  >
> & { creatorId: string; venue: string; analysis: string };

/**
 * Adds an entry for each tip that was published since `since` and is not in the log: openly what everybody may
 * know of a locked race card, and a commitment to the horse and one to the analysis. The time of the off is the
 * reported one, or null if none was when the tip was published; what the creator entered proves nothing.
 */
export async function addTips(
  batch: EntryBatch,
  chains: CreatorChains,
  since: Date,
): Promise<void> {
  const { rows } = await batch.tx.execute<UnrecordedTip>(sql`
    select t.id, c.creator_id as "creatorId", v.slug as venue, c.race_date as "raceDate",
      t.race_number as "raceNumber", t.tip_type as "tipType", t.confidence,
      case when t.was_off_known then r.off_at end as "offAt",
      t.horse_number as "horseNumber", t.horse_name as "horseName", t.analysis
    from tips t
    join race_cards c on c.id = t.race_card_id
    join venues v on v.id = c.venue_id
    left join lateral (
      select o.off_at from race_off_times o where o.venue_id = c.venue_id
        and o.race_date = c.race_date and o.race_number = t.race_number limit 1
    ) r on true
    where t.published_at >= ${since.toISOString()} and t.published_at <= ${batch.at.toISOString()}
      and not exists (select from tip_commitments k where k.tip_id = t.id)
    order by t.published_at, t.race_card_id, t.race_number, t.id
    limit ${MAX_TIPS}`);
  for (const tip of rows) addTip(batch, chains, tip);
}

function addTip(batch: EntryBatch, chains: CreatorChains, tip: UnrecordedTip): void {
  const creator = chains.find(tip.creatorId);
  if (!creator) return; // created in the same instant: the next run adds both
  const text = toCanonicalJson({
    creator: creator.proofId,
    horse: tip.horseName,
    number: tip.horseNumber,
    price: null,
    seq: creator.nextSeq,
  });
  const salt = randomBytes(SALT_BYTES);
  const analysisSalt = randomBytes(SALT_BYTES);
  const { storedIndex } = chains.add(tip.creatorId, "tip", {
    venue: tip.venue,
    date: tip.raceDate,
    race: tip.raceNumber,
    type: tip.tipType,
    confidence: tip.confidence,
    off: tip.offAt === null ? null : new Date(tip.offAt).toISOString(),
    selection: computeCommitment("selection", salt, text),
    reasons: computeCommitment("reasons", analysisSalt, tip.analysis),
  });
  batch.addRow("tip_commitments", {
    tip_id: tip.id,
    entry_index: storedIndex,
    text,
    salt,
    analysis_salt: analysisSalt,
  });
}
