import { afterEach, beforeEach, expect, it } from "vitest";
import { grantRole } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import {
  makeAdmin,
  makeTipster,
  makeUser,
  markShownPayoutPaid,
  publishRaceCard,
  withdrawShownExport,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { requestPayout } from "./create-payout.server.ts";
import { exportPayouts } from "./export-payouts.server.ts";
import { readPayouts } from "./list-payouts.server.ts";
import { writeBankDetails } from "./save-bank-details.server.ts";
import { startPayout } from "./start-payout.server.ts";

const PARAMS = { format: "generic", actionDate: "2026-10-20" as const };

beforeEach(() => freezeClock(instantAt("2026-10-01", "08:00")));
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

/** Creates a tipster with a requested payout of four sales. */
async function makePaidTipster() {
  freezeClock(instantAt("2026-10-01", "08:00"));
  const creator = await makeTipster();
  await writeBankDetails(creator.id, {
    holder: "S. Dube",
    bank: "Capitec",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
  });
  const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
  for (let index = 0; index < 4; index += 1)
    await unlockRaceCardAs((await makeUser({ coins: 4 })).id, { raceCardId });
  freezeClock(instantAt("2026-10-20", "08:00"));
  const result = await requestPayout(creator.id);
  if (!result.ok) throw new Error(result.refusal);
  return { id: creator.id, payoutId: result.payoutId };
}

async function makeAdminWhoIsTipster() {
  const tipster = await makePaidTipster();
  await transaction((tx) => grantRole(tx, { userId: tipster.id, role: "admin", actorId: null }));
  return tipster;
}

it("refuses each step of an admin's own payout, which another admin can take", async () => {
  const { id, payoutId } = await makeAdminWhoIsTipster();
  const other = await makeAdmin();
  const readStatus = async () => (await readPayouts({ creatorId: id })).payouts[0]?.status;
  const refused = { ok: false, refusal: "yourself" };
  expect(await startPayout(id, payoutId)).toEqual(refused);
  expect(await readStatus()).toBe("requested");
  expect(await startPayout(other.id, payoutId)).toEqual({ ok: true });
  expect(await exportPayouts(id, { payoutIds: [payoutId], ...PARAMS })).toEqual(refused);
  expect(await exportPayouts(other.id, { payoutIds: [payoutId], ...PARAMS })).toMatchObject({
    ok: true,
  });
  expect(await withdrawShownExport(id, payoutId, "Rejected")).toEqual(refused);
  expect(await markShownPayoutPaid(id, payoutId)).toEqual(refused);
  expect(await readStatus()).toBe("processing");
  expect(await markShownPayoutPaid(other.id, payoutId)).toEqual({ ok: true });
});

it("leaves an admin's own payout out of a payment file with others", async () => {
  const own = await makeAdminWhoIsTipster();
  const tipster = await makePaidTipster();
  const other = await makeAdmin();
  for (const { payoutId } of [own, tipster]) await startPayout(other.id, payoutId);
  const result = await exportPayouts(own.id, {
    payoutIds: [own.payoutId, tipster.payoutId],
    ...PARAMS,
  });
  expect(result.ok && result.export.lines.map(({ creatorId }) => creatorId)).toEqual([tipster.id]);
  expect(result.ok && result.export.totalCents).toBe(11_200);
});
