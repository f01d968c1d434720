import {
  createUserInTransaction,
  findUserByEmail,
  grantRole,
  hashPassword,
} from "#accounts/accounts.server.ts";
import { applyAsTipster, createCreator } from "#creators/creators.server.ts";
import { writeBankDetails } from "#payouts/payouts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now, withClockAt } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { BUYERS, CREATORS, type DemoCreator, PUNTER, toDemoEmail } from "./people.ts";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

/** User ids by accountName, the part of the email address before the @. */
export type People = Map<string, string>;

const PASSWORD = "furlong-demo";
const PUNTER_COINS = 50;

/** Creators without bank details. */
const WITHOUT_BANK_DETAILS = new Set(["longshot.lulu", "first.gallop"]);

/**
 * Creates the demo's accounts, tipsters, analysts and punters. Existing accounts stay unchanged.
 */
export async function makePeople(since: Date): Promise<People> {
  const people: People = new Map();
  const passwordHash = await hashPassword(PASSWORD);
  if (!passwordHash) throw new Error("the demo password could not be hashed");

  /** Finds or creates a user. */
  const ensureUser = async (accountName: string, name: string) => {
    const email = toDemoEmail(accountName);
    const existing = await findUserByEmail(email);
    const userId =
      existing?.id ??
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
    const id = userId ?? (await findUserByEmail(email))?.id;
    if (!id) throw new Error(`${email} could not be created`);
    people.set(accountName, id);
    return { id, isNew: !existing };
  };

  const admin = await ensureUser("admin", "Admin");
  await transaction((tx) => grantRole(tx, { userId: admin.id, role: "admin", actorId: null }));
  // A second admin confirms the results, because the admin who entered them cannot.
  const secondAdmin = await ensureUser("second.admin", "Second Admin");
  if (secondAdmin.isNew)
    await transaction((tx) =>
      grantRole(tx, { userId: secondAdmin.id, role: "admin", actorId: admin.id }),
    );
  const punter = await ensureUser(PUNTER.accountName, PUNTER.name);
  // Before the purchases of the history, so that the statement is in chronological order.
  if (punter.isNew) await withClockAt(since, () => grantCoins(admin.id, punter.id, PUNTER_COINS));
  await ensureUser("new.punter", "Carla Fourie");
  const applicant = await ensureUser("applicant", "Sipho Dlamini");
  if (applicant.isNew) await apply();
  await runInOrderPerKey(
    BUYERS,
    (buyer) => buyer.accountName,
    (buyer) => ensureUser(buyer.accountName, buyer.name),
  );
  for (const creator of CREATORS) {
    const { id, isNew } = await ensureUser(creator.accountName, creator.name);
    if (isNew) await approve(creator, id, admin.id, since);
  }
  return people;
}

async function grantCoins(actorId: string, userId: string, amountCoins: number): Promise<void> {
  const reference = `demo:${userId}`;
  await transaction(async (tx) => {
    await postToLedger(tx, "grant", reference, [
      { account: "granted", unit: "coin", amount: -amountCoins },
      { account: "wallet", owner: userId, unit: "coin", amount: amountCoins },
    ]);
    await writeAudit(tx, {
      actorId,
      action: "grant-coins",
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
      const result = await createCreator(tx, {
        userId,
        kind,
        displayName,
        specialization,
        bio,
        approvedBy: adminId,
      });
      if (result.ok) await grantRole(tx, { userId, role: kind, actorId: adminId });
    });
    if (!WITHOUT_BANK_DETAILS.has(creator.accountName))
      await writeBankDetails(
        userId,
        {
          holder: creator.name,
          bank: "Demo Bank",
          branchCode: "000000",
          accountNumber: `62${userId.replace(/\D/g, "").padEnd(8, "0").slice(-8)}`,
          accountType: "cheque",
        },
        { isChecked: true },
      );
  });
}

async function apply(): Promise<void> {
  await withClockAt(new Date(now().getTime() - 40 * 3_600_000), () =>
    applyAsTipster({
      email: toDemoEmail("applicant"),
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
