import { afterEach, beforeEach, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "#domain/payment-file/settings.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { makeAdmin } from "#test/factories.ts";
import {
  readPaymentFileSettings,
  savePaymentFileSettings,
} from "./payment-file-settings.server.ts";

const withAccount = (debitAccount: string) => ({ ...DEFAULT_SETTINGS, debitAccount });
const CHANGED = { ok: false, refusal: "changed" };
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 2, 8, 0, seconds));
let adminId: string;

beforeEach(async () => {
  await pool().query("delete from payment_file_settings");
  adminId = (await makeAdmin()).id;
  freezeClock(at(0));
});
afterEach(() => freezeClock(null));

async function countAudits(): Promise<number> {
  const { rows } = await pool().query(
    "select from audit_entries where action = 'change-payment-file-settings' and actor_id = $1",
    [adminId],
  );
  return rows.length;
}

it("keeps what another admin has saved since the settings were shown", async () => {
  expect(await readPaymentFileSettings()).toEqual({ settings: DEFAULT_SETTINGS, savedAt: null });
  expect(await savePaymentFileSettings(adminId, withAccount("11111"), null)).toEqual({ ok: true });
  freezeClock(at(1));
  expect(await savePaymentFileSettings(adminId, withAccount("22222"), null)).toEqual(CHANGED);
  expect(await savePaymentFileSettings(adminId, withAccount("22222"), at(0))).toEqual({ ok: true });
  expect(await savePaymentFileSettings(adminId, withAccount("33333"), at(0))).toEqual(CHANGED);
  expect(await readPaymentFileSettings()).toEqual({
    settings: withAccount("22222"),
    savedAt: at(1),
  });
  expect(await countAudits()).toBe(2);
});

it("accepts the same settings twice, as after a lost answer", async () => {
  await savePaymentFileSettings(adminId, withAccount("11111"), null);
  freezeClock(at(1));
  expect(await savePaymentFileSettings(adminId, withAccount("11111"), null)).toEqual({ ok: true });
});

it.each([null, at(0)])(
  "saves one of two changes at once, shown what was saved at %s",
  async (shown) => {
    if (shown) await savePaymentFileSettings(adminId, withAccount("11111"), null);
    freezeClock(at(1));
    const results = await Promise.all(
      ["22222", "33333", "44444"].map((account) =>
        savePaymentFileSettings(adminId, withAccount(account), shown),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toEqual([CHANGED, CHANGED]);
  },
);
