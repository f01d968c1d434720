import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { toCanonicalJson } from "./canonical-json.ts";
import { computeCommitment, type EntryBatch } from "./entry-batch.server.ts";

export const SALT_BYTES = 32;

type Chain = {
  proofId: string;
  creatorId: string;
  displayName: string;
  nextSeq: number;
  lastHash: Buffer | null;
};

/** The creators' entries: each has a number without gaps and names the entry before it. */
export class CreatorChains {
  /** By creator. */
  readonly #chains = new Map<string, Chain>();
  readonly #changed = new Set<string>();

  readonly #batch: EntryBatch;

  private constructor(batch: EntryBatch) {
    this.#batch = batch;
  }

  /** Reads the creators in the log. */
  static async read(batch: EntryBatch): Promise<CreatorChains> {
    const chains = new CreatorChains(batch);
    const { rows } = await batch.tx.execute<Chain>(sql`
      select creator_id as "creatorId", proof_id as "proofId", display_name as "displayName",
        next_seq as "nextSeq", last_hash as "lastHash"
      from proof_creators where log_id = ${batch.log.id}`);
    for (const chain of rows) chains.#chains.set(chain.creatorId, chain);
    return chains;
  }

  /** Returns the id and the next number of a creator in the log, or null if the creator has no entry yet. */
  find(creatorId: string): { proofId: string; nextSeq: number } | null {
    return this.#chains.get(creatorId) ?? null;
  }

  /** Returns every creator in the log with the number of their entries, by id. */
  list(): { proofId: string; entries: number; lastHash: string }[] {
    return [...this.#chains.values()]
      .map(({ proofId, nextSeq, lastHash }) => ({
        proofId,
        entries: nextSeq,
        lastHash: lastHash?.toString("base64") ?? "",
      }))
      .sort((a, b) => (a.proofId < b.proofId ? -1 : 1));
  }

  /** Adds an entry of a creator who is in the log. */
  add(creatorId: string, kind: string, fields: Record<string, string | number | null>) {
    const chain = this.#chains.get(creatorId);
    if (!chain) throw new Error(`creator ${creatorId} is not in the log`);
    const seq = chain.nextSeq;
    const entry = this.#batch.add(kind, {
      ...fields,
      creator: chain.proofId,
      seq,
      ...(chain.lastHash ? { prev: chain.lastHash.toString("base64") } : {}),
    });
    chain.nextSeq += 1;
    chain.lastHash = entry.hash;
    this.#changed.add(creatorId);
    this.#batch.addRow("proof_creator_entries", {
      proof_id: chain.proofId,
      seq,
      entry_index: entry.storedIndex,
    });
    return { ...entry, seq };
  }

  /** Adds an entry that commits to a creator's display name: the first entry of a new creator. */
  addName(creatorId: string, displayName: string): void {
    const chain = this.#chains.get(creatorId) ?? {
      proofId: randomBytes(16).toString("hex"),
      creatorId,
      displayName,
      nextSeq: 0,
      lastHash: null,
    };
    chain.displayName = displayName;
    this.#chains.set(creatorId, chain);
    const text = toCanonicalJson({
      creator: chain.proofId,
      name: displayName,
      seq: chain.nextSeq,
    });
    const salt = randomBytes(SALT_BYTES);
    const { storedIndex } = this.add(creatorId, "creator", {
      name: computeCommitment("name", salt, text),
    });
    this.#batch.addRow("proof_creator_names", { entry_index: storedIndex, text, salt });
  }

  /** Writes the creators whose entries the batch added. Must be called before the rows that refer to them. */
  async write(): Promise<void> {
    for (const creatorId of this.#changed) {
      const chain = this.#chains.get(creatorId);
      if (!chain) continue;
      await this.#batch.tx.execute(sql`
        insert into proof_creators
          (proof_id, log_id, creator_id, display_name, next_seq, last_hash, last_entry_at)
        values (${chain.proofId}, ${this.#batch.log.id}, ${creatorId}, ${chain.displayName},
          ${chain.nextSeq}, ${chain.lastHash}, ${this.#batch.at.toISOString()})
        on conflict (proof_id) do update set display_name = excluded.display_name,
          next_seq = excluded.next_seq, last_hash = excluded.last_hash,
          last_entry_at = excluded.last_entry_at`);
    }
  }
}
