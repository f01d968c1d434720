import { sql } from "drizzle-orm";
import type { Database, Tx } from "#platform/database.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import type { Log } from "../log/read-log.server.ts";

/** What the database has about an entry and the public files do not, or not yet. */
export type RecoveryRow = {
  index: number;
  /** Of the first entry of a creator and of each other name. */
  name?: { creatorId: string | null; text: string; salt: string };
  tip?: { id: string; text: string; salt: string; analysisSalt: string };
  /** Of a result: the admins behind the pseudonyms. */
  admins?: { number: number; userId: string }[];
  key?: {
    verifierKey: string;
    encryptedSeed: string;
    previousSignsUntil: string | null;
    createdAt: string;
  };
};

const contextOf = ({ origin }: Pick<Log, "origin">) => ({ purpose: "proof mirror", owner: origin });

/** Reads the rows of the entries from `first` up to, not including, `end`, encrypted because they reveal tips. */
export async function readRecoveryRows(
  db: Database | Tx,
  log: Log,
  first: number,
  end: number,
): Promise<string> {
  const { rows } = await db.execute<{ row: RecoveryRow }>(sql`
    select jsonb_strip_nulls(jsonb_build_object(
      'index', e.entry_index - ${log.firstIndex}::bigint,
      'name', case when m.text is not null then jsonb_build_object('creatorId', p.creator_id,
        'text', m.text, 'salt', encode(m.salt, 'base64')) end,
      'tip', case when k.tip_id is not null then jsonb_build_object('id', k.tip_id, 'text', k.text,
        'salt', encode(k.salt, 'base64'), 'analysisSalt', encode(k.analysis_salt, 'base64')) end,
      'admins', case when r.version is not null then (
        select jsonb_agg(jsonb_build_object('number', a.number, 'userId', a.user_id))
        from proof_admins a where a.user_id in (r.entered_by, r.confirmed_by)) end,
      'key', case when s.verifier_key is not null then jsonb_build_object(
        'verifierKey', s.verifier_key, 'encryptedSeed', s.encrypted_seed,
        'previousSignsUntil', s.previous_signs_until, 'createdAt', s.created_at) end
    )) as row
    from proof_entries e
    left join proof_creator_names m on m.entry_index = e.entry_index
    left join proof_creator_entries n on n.entry_index = m.entry_index
    left join proof_creators p on p.proof_id = n.proof_id
    left join tip_commitments k on k.entry_index = e.entry_index
    left join proof_results q on q.entry_index = e.entry_index
    left join race_results r on r.race_day_id = q.race_day_id and r.race_number = q.race_number
      and r.version = q.version
    left join proof_signing_keys s on s.from_size = e.entry_index + 1
    where e.entry_index >= ${log.firstIndex + first} and e.entry_index < ${log.firstIndex + end}
      and coalesce(m.entry_index, k.entry_index, q.entry_index, s.from_size) is not null
    order by e.entry_index`);
  return encrypt(JSON.stringify(rows.map(({ row }) => row)), contextOf(log));
}

/** Returns the rows, or null if another AUTH_SECRET encrypted them, or for another log. */
export function parseRecoveryRows(
  encrypted: string,
  log: Pick<Log, "origin">,
): RecoveryRow[] | null {
  try {
    return JSON.parse(decrypt(encrypted, contextOf(log)));
  } catch {
    return null;
  }
}
