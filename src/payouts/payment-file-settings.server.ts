import { DEFAULT_SETTINGS, type PaymentFileSettings } from "#domain/payment-file/settings.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { paymentFileSettings } from "./tables.server.ts";

/** Returns the operator's settings for payment files. Defaults to the generic CSV format. */
export async function readPaymentFileSettings(): Promise<PaymentFileSettings> {
  const [row] = await database().select().from(paymentFileSettings);
  return { ...DEFAULT_SETTINGS, ...(row?.settings as Partial<PaymentFileSettings> | undefined) };
}

/** Changes the payment file settings for an admin. The audit entry has only the last digits of the debit account. */
export async function savePaymentFileSettings(
  actorId: string,
  settings: PaymentFileSettings,
): Promise<void> {
  await transaction(async (tx) => {
    const row = { settings, updatedAt: now(), updatedBy: actorId };
    await tx
      .insert(paymentFileSettings)
      .values(row)
      .onConflictDoUpdate({ target: paymentFileSettings.isSingleton, set: row });
    await writeAudit(tx, {
      actorId,
      action: "change-payment-file-settings",
      subject: settings.format,
      details: { debitAccountLast4: settings.debitAccount.slice(-4) },
    });
  });
}
