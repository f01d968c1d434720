import { readMemberSince, type Viewer } from "#identity/identity.server.ts";
import { readAwaitedOrders, readPurchases } from "#payments/payments.server.ts";
import { countOpened, readOpenedCards } from "#sales/sales.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { readStatement, readWallet, type StatementLine } from "#wallet/wallet.server.ts";

const LATEST = 10;
const LINES_PER_PAGE = 20;

/** An opened card in a line: which, when, and how its races ended so far. */
export type OpenedCardRow = {
  raceCardId: string;
  venueName: string;
  raceDate: string;
  creatorName: string;
  openedAt: Date;
  races: number;
  won: number;
  settled: number;
};

/** A movement of the wallet, with the card it was about where it was about one. */
export type WalletMovement = Omit<StatementLine, "reference"> & { about: MovementCard | null };
type MovementCard = { raceCardId: string; name: string };

/** What the profile shows of someone, to themselves. */
export async function readProfile(viewer: Viewer, beforeLine: number | null) {
  const [memberSince, wallet, opened, purchases, awaited, latest, statement] = await Promise.all([
    readMemberSince(viewer.id),
    readWallet(viewer.id),
    countOpened(viewer.id),
    readPurchases(viewer.id, { limit: LATEST }),
    readAwaitedOrders(viewer.id, { limit: LATEST }),
    readOpenedCards(viewer.id, { limit: LATEST }),
    readStatement(viewer.id, { beforeId: beforeLine ?? undefined, limit: LINES_PER_PAGE }),
  ]);
  const heads = await readRaceCardSummaries([
    ...new Set([
      ...latest.cards.map((card) => card.raceCardId),
      ...statement.lines.flatMap((line) => raceCardOf(line) ?? []),
    ]),
  ]);
  return {
    name: viewer.name,
    email: viewer.email,
    emailVerified: viewer.emailVerified,
    roles: viewer.roles,
    memberSince,
    wallet,
    opened,
    purchases: purchases.map(
      ({ id, packageName, coins, amountCents, refundedCents, boughtAt }) => ({
        id,
        packageName,
        coins,
        amountCents,
        refundedCents,
        boughtAt,
      }),
    ),
    awaited,
    unlocked: latest.cards.flatMap((card): OpenedCardRow[] => {
      const head = heads.get(card.raceCardId);
      if (!head) return [];
      const settled = card.tips.filter((tip) => tip.result === "won" || tip.result === "lost");
      return [
        {
          raceCardId: card.raceCardId,
          venueName: head.venue.name,
          raceDate: head.raceDate,
          creatorName: head.creator.name,
          openedAt: card.openedAt,
          races: card.tips.length,
          won: settled.filter((tip) => tip.result === "won").length,
          settled: settled.length,
        },
      ];
    }),
    statement: {
      lines: statement.lines.map(({ reference: _, ...line }, index): WalletMovement => {
        const raceCardId = raceCardOf(statement.lines[index]);
        const head = raceCardId ? heads.get(raceCardId) : undefined;
        return {
          ...line,
          about: head
            ? { raceCardId: head.id, name: `${head.venue.name}, ${head.creator.name}` }
            : null,
        };
      }),
      isFirst: beforeLine === null,
      next: statement.next,
    },
  };
}

export type Profile = Awaited<ReturnType<typeof readProfile>>;

/** The card that a movement paid for: its reference names buyer and card. */
function raceCardOf(line: StatementLine | undefined): string | null {
  if (line?.kind !== "unlock") return null;
  return line.reference.split(":")[1] ?? null;
}
