import { desc, eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { payoutTransfers } from "../tables.server.ts";
import { syncTransfer } from "./send-transfer.server.ts";

export type AskAboutTransferResult =
  | { ok: true }
  | { ok: false; refusal: "no-transfer" | "unreachable" };

/** Reads the latest transfer of a payout from the provider for an admin, and applies what it reports. Idempotent. */
export async function askAboutTransfer(
  actorId: string,
  payoutId: string,
): Promise<AskAboutTransferResult> {
  if (!isId(payoutId)) return { ok: false, refusal: "no-transfer" };
  const [transfer] = await database()
    .select()
    .from(payoutTransfers)
    .where(eq(payoutTransfers.payoutId, payoutId))
    .orderBy(desc(payoutTransfers.createdAt))
    .limit(1);
  if (!transfer?.sentAt) return { ok: false, refusal: "no-transfer" };
  const { reference } = transfer;
  try {
    const outcome = await syncTransfer(reference);
    await transaction((tx) =>
      writeAudit(tx, {
        actorId,
        action: "ask-payout-provider",
        subject: payoutId,
        details: { reference, outcome },
      }),
    );
    return { ok: true };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { ok: false, refusal: "unreachable" };
  }
}
