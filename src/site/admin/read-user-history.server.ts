import { type Account, listSessionStarts, readUsers } from "#accounts/accounts.server.ts";
import { type ListedOrder, listOrders } from "#payments/payments.server.ts";
import { type AuditEntry, readAudit } from "#platform/audit/audit.server.ts";
import { type EmailSummary, listEmailsTo } from "#platform/mail/list-emails.server.ts";
import type { RaceCardSummary } from "#tips/tips.server.ts";
import { readStatement, type StatementLine } from "#wallet/wallet.server.ts";
import { readRaceCardsOfStatement } from "../statement-race-cards.server.ts";
import { listSubjectsOfUsers } from "./list-subjects-of-users.server.ts";

const PAGE_SIZE = 25;

/** Something that happened to an account. */
export type UserEvent = { key: string; at: Date } & (
  | { type: "account"; what: "Signed up" | "Accepted the terms" | "Closed the account" }
  | { type: "session" }
  | { type: "order"; order: ListedOrder }
  | { type: "coins"; line: StatementLine; raceCard: RaceCardSummary | null }
  | { type: "email"; email: EmailSummary }
  | { type: "audit"; action: AuditEntry["action"]; actorName: string; details: unknown }
);

/**
 * Returns a page of what happened to an account, newest first: the account itself, log ins whose sessions still exist,
 * orders, coins with their race cards, emails, and what the audit log says about the user, with the notes of admins, and
 * about the user's grants, payouts and purchases.
 * `next` is the `before` of the next page. Events of one instant are never on two pages.
 */
export async function readUserHistory(
  account: Account,
  before: Date | null,
): Promise<{ events: UserEvent[]; next: Date | null }> {
  const page = { before, limit: PAGE_SIZE + 1 };
  const [sessions, orders, { lines }, emails, { entries }] = await Promise.all([
    listSessionStarts(account.id, page),
    listOrders(account.id, page),
    readStatement(account.id, page),
    listEmailsTo({ userId: account.id, email: account.email }, page),
    listSubjectsOfUsers([account.id]).then((subjects) =>
      readAudit({ subjects, userIds: [account.id], ...page }),
    ),
  ]);
  const [raceCards, actors] = await Promise.all([
    readRaceCardsOfStatement(lines),
    readUsers([...new Set(entries.flatMap(({ actorId }) => actorId ?? []))]),
  ]);
  const events: UserEvent[] = [
    // Later first where several are of one instant: what an order led to stands above it.
    ...entries.map(
      (entry): UserEvent => ({
        ...{ key: `audit ${entry.id}`, at: entry.createdAt, type: "audit", action: entry.action },
        actorName: entry.actorId ? (actors.get(entry.actorId)?.name ?? "") : "Furlong",
        details: entry.details,
      }),
    ),
    ...emails.map(
      (email): UserEvent => ({
        key: email.id,
        at: email.createdAt,
        type: "email",
        email,
      }),
    ),
    ...lines.map(
      (line): UserEvent => ({
        ...{ key: `coins ${line.id}`, at: line.movedAt, type: "coins", line },
        raceCard: raceCards.get(line.id) ?? null,
      }),
    ),
    ...orders.map(
      (order): UserEvent => ({
        key: order.id,
        at: order.orderedAt,
        type: "order",
        order,
      }),
    ),
    ...sessions.map(
      ({ id, startedAt }): UserEvent => ({
        key: id,
        at: startedAt,
        type: "session",
      }),
    ),
    ...accountEvents(account).filter(({ at }) => before === null || at < before),
  ].sort((one, other) => other.at.getTime() - one.at.getTime());
  const boundary = events[PAGE_SIZE]?.at;
  if (!boundary) return { events, next: null };
  // Each list may end within the instant of the boundary, so that instant is on the next page.
  const later = events.filter(({ at }) => at > boundary);
  return later.length > 0
    ? { events: later, next: new Date(boundary.getTime() + 1) }
    : { events: events.filter(({ at }) => at >= boundary), next: boundary };
}

function accountEvents({ id, createdAt, agreedAt, closedAt }: Account): UserEvent[] {
  const event = (what: Extract<UserEvent, { type: "account" }>["what"], at: Date | null) =>
    at ? [{ key: `${what} ${id}`, at, type: "account" as const, what }] : [];
  return [
    ...event("Closed the account", closedAt),
    ...event("Accepted the terms", agreedAt),
    ...event("Signed up", createdAt),
  ];
}
