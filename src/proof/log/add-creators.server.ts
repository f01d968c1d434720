import { sql } from "drizzle-orm";
import type { CreatorChains } from "./creator-chains.server.ts";
import type { EntryBatch } from "./entry-batch.server.ts";

/** Adds an entry for each creator who is new or has another display name. */
export async function addCreators(batch: EntryBatch, chains: CreatorChains): Promise<void> {
  const { rows } = await batch.tx.execute<{ id: string; displayName: string }>(sql`
    select c.user_id as id, c.display_name as "displayName"
    from creators c left join proof_creators p on p.creator_id = c.user_id
      and p.log_id = ${batch.log.id}
    where p.display_name is distinct from c.display_name and c.created_at <= ${batch.at.toISOString()}
    order by c.created_at, c.user_id`);
  for (const { id, displayName } of rows) chains.addName(id, displayName);
}
