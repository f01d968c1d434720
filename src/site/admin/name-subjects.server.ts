import { isId } from "#domain/id.ts";
import { type AuditEntry, readUsers } from "#identity/identity.server.ts";
import { listPayouts } from "#race-cards/race-cards.server.ts";
import { readCreatorHeads } from "#tipping/tipping.server.ts";
import { ACTS } from "./audit-words.ts";

/** Whom an act was about, by the entry's id, for those that are about a person or a payout. */
export async function nameSubjects(entries: readonly AuditEntry[]): Promise<Map<number, string>> {
  const idsOf = (about: "user" | "payout") =>
    entries
      .filter((entry) => ACTS[entry.act]?.about === about)
      .map((entry) => entry.subject.slice(0, 36))
      .filter(isId);
  const payoutIds = [...new Set(idsOf("payout"))];
  const [users, { payouts }] = await Promise.all([
    readUsers([...new Set(idsOf("user"))]),
    listPayouts({ payoutIds, limit: Math.max(1, payoutIds.length) }),
  ]);
  const creators = await readCreatorHeads(payouts.map((payout) => payout.creatorId));
  const names = new Map<string, string>([
    ...[...users].map(([id, user]) => [id, user.name] as const),
    ...payouts.map((each) => [each.id, creators.get(each.creatorId)?.name ?? ""] as const),
  ]);
  return new Map(
    entries.flatMap((entry) => {
      const name = ACTS[entry.act]?.about ? names.get(entry.subject.slice(0, 36)) : undefined;
      return name ? [[entry.id, name]] : [];
    }),
  );
}
