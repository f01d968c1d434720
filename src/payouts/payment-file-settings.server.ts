import { sql } from "drizzle-orm";
import { DEFAULT_SETTINGS, type PaymentFileSettings } from "#domain/payment-file/settings.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { paymentFileSettings } from "./tables.server.ts";

/** Returns the operator's settings for payment files, by default the generic CSV format, and when they were saved. */
export async function readPaymentFileSettings(): Promise<{
  settings: PaymentFileSettings;
  savedAt: Date | null;
}> {
  const [row] = await database().select().from(paymentFileSettings);
  return {
    settings: {
      ...DEFAULT_SETTINGS,
      ...(row?.settings as Partial<PaymentFileSettings> | undefined),
    },
    savedAt: row?.updatedAt ?? null,
  };
}

/**
 * Changes the payment file settings for an admin. Refuses when others were saved since `shownSavedAt`, which the admin
 * has not seen. The audit entry has only the last digits of the debit account.
 */
export async function savePaymentFileSettings(
  actorId: string,
  settings: PaymentFileSettings,
  shownSavedAt: Date | null,
): Promise<{ ok: true } | { ok: false; refusal: "changed" }> {
  return await transaction(async (tx) => {
    const row = { settings, updatedAt: now(), updatedBy: actorId };
    const saved = await tx
      .insert(paymentFileSettings)
      .values(row)
      .onConflictDoUpdate({
        target: paymentFileSettings.isSingleton,
        set: row,
        setWhere: sql`${paymentFileSettings.updatedAt} = ${shownSavedAt}
          or ${paymentFileSettings.settings} = excluded.settings`,
      })
      .returning({ updatedAt: paymentFileSettings.updatedAt });
    if (saved.length === 0) return { ok: false, refusal: "changed" };
    await writeAudit(tx, {
      actorId,
      action: "change-payment-file-settings",
      subject: settings.format,
      details: { debitAccountLast4: settings.debitAccount.slice(-4) },
    });
    return { ok: true };
  });
}
