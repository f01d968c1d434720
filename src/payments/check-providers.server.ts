import { randomUUID } from "node:crypto";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { get, isUnknownTransfer, PaystackRefusal } from "#platform/paystack-api.server.ts";
import { listGateways } from "./gateways.server.ts";

const HOUR_MS = 60 * 60 * 1000;

/** A call to a provider that costs and changes nothing, and why it failed; null when it succeeded. */
export type ProviderCheck = { provider: string; call: string; problem: string | null };

/** The read calls of Paystack that pay out needs. */
const PAYOUT_CALLS: Record<string, () => Promise<unknown>> = {
  "read the balance": () => get("/balance"),
  "read an unknown transfer": () =>
    get(`/transfer/verify/${randomUUID()}`).catch((error: unknown) => {
      if (!(error instanceof PaystackRefusal) || !isUnknownTransfer(error)) throw error;
    }),
};

/** Makes the read calls of every configured provider with its real keys. The demo's fakes are left out. */
export async function checkProviders(): Promise<ProviderCheck[]> {
  const checks: ProviderCheck[] = [];
  for (const gateway of listGateways()) {
    if (env()[gateway.provider].isFake) continue;
    const provider = `${gateway.describe().name} (${gateway.isLiveMode() ? "live" : "test"} key)`;
    const orderId = randomUUID();
    const attempt = { orderId, attempt: 1, startedAt: now() };
    const includesTransfers = env().payoutProvider === gateway.provider;
    const calls: Record<string, () => Promise<unknown>> = {
      "find an unknown payment page": () => gateway.findCheckout(attempt),
      "read an unknown payment page": () => gateway.readCheckout(`${orderId}.1`),
      "read an unknown payment": () => gateway.readPayment(`${orderId}.1`),
      "list the changes of the last hour": async () => {
        const since = new Date(now().getTime() - HOUR_MS);
        const { unreadableIds } = await gateway.listEvents(since, { includesTransfers });
        if (unreadableIds.length > 0) throw new Error(`unreadable: ${unreadableIds.join(", ")}`);
      },
      ...(includesTransfers ? PAYOUT_CALLS : {}),
    };
    for (const [call, run] of Object.entries(calls)) {
      const problem = await run().then(
        (found) =>
          found === null || call in PAYOUT_CALLS || call.startsWith("list")
            ? null
            : "something was found",
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      checks.push({ provider, call, problem });
    }
  }
  return checks;
}
