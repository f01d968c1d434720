import { readUsers } from "#accounts/accounts.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import { type ListedPurchase, readPurchasesById } from "#payments/payments.server.ts";
import { listPayouts } from "#payouts/payouts.server.ts";
import type { AlertKind } from "#platform/alert-kinds.ts";
import type { Alert } from "#platform/list-alerts.server.ts";

/** What the subjects of alerts are. Other alerts are about nothing that has a page. */
const SUBJECT_TYPES: Partial<
  Record<AlertKind, "purchase" | "payout" | "user" | "race-card" | "log">
> = {
  dispute: "purchase",
  "dispute-lost": "purchase",
  "dispute-reinstated": "purchase",
  "refund-failed": "purchase",
  "refund-stuck": "purchase",
  "refund-exceeds-payment": "purchase",
  "payment-currency": "purchase",
  "payment-of-closed-account": "purchase",
  "payout-reduced": "payout",
  "payout-stopped": "payout",
  "exported-payout-disputed": "payout",
  "transfer-failed": "payout",
  "transfer-attention": "payout",
  "transfer-contradicted": "payout",
  "coins-of-closed-account": "user",
  "earnings-of-closed-account": "user",
  "sold-after-races": "race-card",
  "log-stopped": "log",
};

export type DescribedAlert = Alert & {
  /** A link to what the alert is about, with the name of the person and the amount. */
  about: { path: string; text: string } | null;
  /** True if the alert stands for something that is still open. It is then resolved when that ends. */
  isStillOpen: boolean;
};

/** Adds to each alert what it is about. */
export async function describeAlerts(alerts: readonly Alert[]): Promise<DescribedAlert[]> {
  const subjectsOf = (type: string) =>
    alerts.flatMap(({ kind, subject }) => (SUBJECT_TYPES[kind] === type ? [subject] : []));
  const payoutIds = subjectsOf("payout");
  const [purchases, { payouts }] = await Promise.all([
    readPurchasesById(subjectsOf("purchase")),
    listPayouts({ payoutIds, limit: Math.max(1, payoutIds.length) }),
  ]);
  const people = await readUsers([
    ...subjectsOf("user"),
    ...[...purchases.values()].map(({ userId }) => userId),
    ...payouts.map(({ creatorId }) => creatorId),
  ]);
  const nameOf = (userId: string) => people.get(userId)?.name || "closed account";
  const findSubject = ({ kind, subject }: Alert): DescribedAlert["about"] => {
    const type = SUBJECT_TYPES[kind];
    const purchase = purchases.get(subject);
    const payout = payouts.find(({ id }) => id === subject);
    if (type === "purchase" && purchase)
      return {
        path: `/admin/purchases/${subject}`,
        text: `Purchase of ${nameOf(purchase.userId)}, ${formatCents(purchase.amountCents)}`,
      };
    if (type === "payout" && payout)
      return {
        path: `/admin/users/${payout.creatorId}`,
        text: `Payout to ${nameOf(payout.creatorId)}, ${formatCents(payout.amountCents)}`,
      };
    if (type === "user" && people.has(subject))
      return { path: `/admin/users/${subject}`, text: nameOf(subject) };
    if (type === "race-card") return { path: `/admin/race-cards/${subject}`, text: "Race card" };
    return type === "log" ? { path: "/proof", text: "Public log" } : null;
  };
  return alerts.map((alert) => ({
    ...alert,
    about: findSubject(alert),
    isStillOpen: isStillOpen(alert, purchases),
  }));
}

/** Returns true if what the alert stands for has not ended. `purchases` has the purchase of a dispute. */
export function isStillOpen(
  { kind, subject }: Pick<Alert, "kind" | "subject">,
  purchases: ReadonlyMap<string, ListedPurchase>,
): boolean {
  if (kind === "dispute") return purchases.get(subject)?.disputeStatus === "open";
  return kind === "log-stopped";
}
