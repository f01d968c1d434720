import { asc, eq } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { type Email, enqueueBulkEmails } from "#platform/mail/mailer.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { listRaceCardsToEmail, takeScratchings } from "#tips/tips.server.ts";
import { renderScratchedEmail } from "./scratched.email.tsx";
import { sales } from "./tables.server.ts";

const RACE_CARDS_PER_RUN = 100;

type RaceCard = { id: string; venueName: string; raceDate: CalendarDate };

/**
 * Emails buyers about the scratched horses of their race cards: at most one email per race card and hour, which names
 * all since the last one.
 */
export const emailScratchings: Job = {
  name: "email-scratchings",
  everySeconds: 10,
  async run() {
    await runEach(
      emailScratchings.name,
      await listRaceCardsToEmail(now(), RACE_CARDS_PER_RUN),
      ({ id }) => `race card ${id}`,
      (raceCard) => transaction((tx) => emailBuyers(tx, raceCard)),
    );
  },
};

/** Marks the scratchings and enqueues the emails in one transaction, so that each is sent once. */
async function emailBuyers(tx: Tx, raceCard: RaceCard): Promise<void> {
  const scratchings = await takeScratchings(tx, raceCard.id, now());
  if (scratchings.length === 0) return;
  const buyers = await tx
    .select({ id: sales.buyerId, openedAt: sales.createdAt, tipIds: sales.tipIds })
    .from(sales)
    .where(eq(sales.raceCardId, raceCard.id))
    .orderBy(asc(sales.id));
  const users = await readUsers(
    buyers.map(({ id }) => id),
    tx,
  );
  const emails: Email[] = [];
  for (const { id, openedAt, tipIds } of buyers) {
    const user = users.get(id);
    // A selection that was scratched when the race card was sold has no coins that come back if it is scratched again.
    const selections = scratchings.filter(
      ({ tipId, scratchedAt, hiddenAt }) =>
        (scratchedAt === null || tipIds.includes(tipId)) &&
        (hiddenAt === null || openedAt < hiddenAt),
    );
    // A closed account has no email address.
    if (!user || user.isClosed || selections.length === 0) continue;
    emails.push({
      to: user.email,
      userId: user.id,
      kind: "scratched",
      ...(await renderScratchedEmail({ name: user.name, raceCard, selections })),
    });
  }
  await enqueueBulkEmails(tx, emails);
}
