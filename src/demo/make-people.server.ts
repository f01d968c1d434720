import { writeAudit } from "#audit/audit.server.ts";
import { applyAsTipster, makeCreator } from "#creators/creators.server.ts";
import {
  createUserInTransaction,
  findUserByEmail,
  grantRole,
  hashPassword,
} from "#identity/identity.server.ts";
import { writeBankDetails } from "#payouts/payouts.server.ts";
import { now, withClockAt } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { addressOf, BUYERS, CREATORS, type DemoCreator } from "./people.ts";
import { withLanes } from "./with-lanes.ts";

/** The ids of the demo's people, by the part of their address before the at sign. */
export type People = Map<string, string>;

const PASSWORD = "furlong-demo";
const PUNTER_COINS = 50;

/** Not everyone has got round to it. */
const WITHOUT_BANK = new Set(["longshot.lulu", "first.gallop"]);

/**
 * The demo's accounts, as they are named to whoever tries it, with its tipsters, analysts and punters.
 * Those that are there already are left as they are.
 */
export async function makePeople(since: Date): Promise<People> {
  const people: People = new Map();
  const passwordHash = await hashPassword(PASSWORD);
  if (!passwordHash) throw new Error("no password could be hashed");

  /** The person's id, and whether they are new. */
  const person = async (mailbox: string, name: string) => {
    const email = addressOf(mailbox);
    const known = await findUserByEmail(email);
    const made =
      known?.id ??
      (await withClockAt(since, () =>
        transaction((tx) =>
          createUserInTransaction(tx, {
            email,
            name,
            passwordHash,
            verified: true,
            agreedAt: since,
          }),
        ),
      ));
    const id = made ?? (await findUserByEmail(email))?.id;
    if (!id) throw new Error(`${email} could not be made`);
    people.set(mailbox, id);
    return { id, isNew: !known };
  };

  const admin = await person("admin", "Admin");
  await transaction((tx) => grantRole(tx, { userId: admin.id, role: "admin", actorId: null }));
  const punter = await person("punter", "Jabu Nkomo");
  if (punter.isNew) await giveCoins(admin.id, punter.id, PUNTER_COINS);
  await person("new.punter", "Carla Fourie");
  const applicant = await person("applicant", "Sipho Dlamini");
  if (applicant.isNew) await apply();
  await withLanes(
    BUYERS,
    (buyer) => buyer.mailbox,
    (buyer) => person(buyer.mailbox, buyer.name),
  );
  for (const creator of CREATORS) {
    const { id, isNew } = await person(creator.mailbox, creator.name);
    if (isNew) await approve(creator, id, admin.id, since);
  }
  return people;
}

async function giveCoins(actorId: string, userId: string, amountCoins: number): Promise<void> {
  const reference = `demo:${userId}`;
  await transaction(async (tx) => {
    await postToLedger(tx, "grant", reference, [
      { account: "granted", unit: "coin", amount: -amountCoins },
      { account: "wallet", owner: userId, unit: "coin", amount: amountCoins },
    ]);
    await writeAudit(tx, {
      actorId,
      act: "grant-coins",
      subject: reference,
      details: { userId, amountCoins },
    });
  });
}

async function approve(
  creator: DemoCreator,
  userId: string,
  adminId: string,
  since: Date,
): Promise<void> {
  const { kind, displayName, specialization, bio, sinceDays } = creator;
  const approvedAt = sinceDays ? new Date(now().getTime() - sinceDays * 86_400_000) : since;
  await withClockAt(approvedAt, async () => {
    await transaction(async (tx) => {
      const made = await makeCreator(tx, {
        userId,
        kind,
        displayName,
        specialization,
        bio,
        approvedBy: adminId,
      });
      if (made.ok) await grantRole(tx, { userId, role: kind, actorId: adminId });
    });
    if (!WITHOUT_BANK.has(creator.mailbox))
      await writeBankDetails(userId, {
        holder: creator.name,
        bank: "Demo Bank",
        branchCode: "000000",
        accountNumber: `62${userId.replace(/\D/g, "").padEnd(8, "0").slice(-8)}`,
        accountType: "cheque",
      });
  });
}

async function apply(): Promise<void> {
  await withClockAt(new Date(now().getTime() - 40 * 3_600_000), () =>
    applyAsTipster({
      email: addressOf("applicant"),
      fullName: "Sipho Dlamini",
      displayName: "Parade Ring Sipho",
      phoneNumber: "082 000 0000",
      experienceYears: 8,
      specialization: "Maidens and juveniles",
      favouriteTracks: "Vaal, Turffontein",
      bio: "Eight years of notebooks on two-year-olds. I go to the trials so that you do not have to.",
    }),
  );
}
