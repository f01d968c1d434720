import { sql } from "drizzle-orm";
import { database } from "#platform/database.server.ts";

/** The entry of a tip in the log, with what its two commitments commit to. Salts are in base64. */
export type TipReveal = {
  tipId: string;
  index: number;
  /** The entry as it was hashed. */
  entry: string;
  selection: { text: string; salt: string };
  reasons: { text: string; salt: string };
};

/**
 * Returns the entries of these tips in the order of the log, without tips that are not in it. The analysis is paid
 * for, and a selection with its salt is evidence that could be resold: only for buyers, and only after the off.
 */
export async function readTipReveals(tipIds: readonly string[]): Promise<TipReveal[]> {
  const { rows } = await database().execute<{
    tipId: string;
    index: string;
    entry: Buffer;
    text: string;
    salt: Buffer;
    analysis: string;
    analysisSalt: Buffer;
  }>(sql`
    select k.tip_id as "tipId", k.entry_index as index, e.body as entry, k.text, k.salt, t.analysis,
      k.analysis_salt as "analysisSalt"
    from tip_commitments k
    join proof_entries e on e.entry_index = k.entry_index
    join tips t on t.id = k.tip_id
    where k.tip_id in (select unnest(${sql.param(tipIds)}::uuid[]))
    order by k.entry_index`);
  return rows.map(({ tipId, index, entry, text, salt, analysis, analysisSalt }) => ({
    tipId,
    index: Number(index),
    entry: entry.toString("utf8"),
    selection: { text, salt: salt.toString("base64") },
    reasons: { text: analysis, salt: analysisSalt.toString("base64") },
  }));
}
