import { sql } from "drizzle-orm";
import type { CreatorChains } from "./creator-chains.server.ts";
import type { EntryBatch } from "./entry-batch.server.ts";
import { isInLog } from "./read-log.server.ts";

/** Adds an entry for each tip of this log that was hidden, deleted or shown again since its newest entry. */
export async function addWithdrawals(batch: EntryBatch, chains: CreatorChains): Promise<void> {
  const { rows } = await batch.tx.execute<{
    tipId: string;
    creatorId: string;
    entryIndex: string;
    state: string;
  }>(sql`
    with newest as (
      select distinct on (tip_id) tip_id, state from proof_withdrawals order by tip_id, entry_index desc
    ), changed as (
      select t.id, t.race_card_id, t.hidden_at,
        case when t.deleted_at is not null then 'deleted' else 'hidden' end as state
      from tips t left join newest n on n.tip_id = t.id
      where t.hidden_at is not null and t.hidden_at <= ${batch.at.toISOString()}
        and n.state is distinct from case when t.deleted_at is not null then 'deleted' else 'hidden' end
      union all
      select t.id, t.race_card_id, t.hidden_at, 'shown'
      from newest n join tips t on t.id = n.tip_id
      where n.state <> 'shown' and t.hidden_at is null
    )
    select x.id as "tipId", c.creator_id as "creatorId", k.entry_index as "entryIndex", x.state
    from changed x
    join tip_commitments k on k.tip_id = x.id and ${isInLog("entry_index", batch.log)}
    join race_cards c on c.id = x.race_card_id
    order by x.hidden_at, k.entry_index`);
  for (const { tipId, creatorId, entryIndex, state } of rows) {
    const of = Number(entryIndex) - batch.log.firstIndex;
    const { storedIndex } = chains.add(creatorId, "withdrawal", { of, why: state });
    batch.addRow("proof_withdrawals", { entry_index: storedIndex, tip_id: tipId, state });
  }
}
