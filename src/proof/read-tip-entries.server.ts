import { queryPrepared } from "#platform/database.server.ts";

/** The entry of a tip: the creator's number of it, and its index in its log. */
export type TipEntry = { entry: number; logIndex: number };

/** Returns the entries of these tips by tip id. Tips that are not in the log have none. */
export async function readTipEntries(tipIds: readonly string[]): Promise<Map<string, TipEntry>> {
  if (tipIds.length === 0) return new Map();
  const rows = await queryPrepared<{ tipId: string; entry: number; logIndex: number }>(
    "tip-entries",
    `select k.tip_id as "tipId", n.seq as entry, k.entry_index - l.first_index as "logIndex"
     from tip_commitments k
     join proof_creator_entries n on n.entry_index = k.entry_index
     join proof_creators p on p.proof_id = n.proof_id
     join proof_logs l on l.id = p.log_id
     where k.tip_id = any ($1::uuid[])`,
    [tipIds],
  );
  return new Map(
    rows.map(({ tipId, entry, logIndex }) => [tipId, { entry, logIndex: Number(logIndex) }]),
  );
}
