import { actionRefused, actionSucceeded } from "#admin-kit/admin-kit.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { isDatabaseLost } from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { listPayouts } from "../list-payouts.server.ts";
import type { MarkPayoutPaidResult } from "../mark-payout-paid.server.ts";
import type { StartPayoutResult } from "../start-payout.server.ts";
import type { AskAboutTransferResult } from "../transfers/ask-about-transfer.server.ts";
import type { WithdrawExportResult } from "../withdraw-export.server.ts";
import { addCreatorNames } from "./creator-names.server.ts";

type ActionResult =
  | StartPayoutResult
  | MarkPayoutPaidResult
  | WithdrawExportResult
  | AskAboutTransferResult;
type Refusal = Extract<ActionResult, { ok: false }>;

/**
 * Runs an action on each selected payout. The message has the number of
 * successes and the reason of each refusal. A payout whose action fails stops no other.
 */
export async function runOnEachPayout(
  form: FormData,
  runAction: (payoutId: string) => Promise<ActionResult>,
  successMessage: (count: number) => string,
) {
  const payoutIds = [...new Set(form.getAll("payout").map(String))];
  if (payoutIds.length === 0) return actionRefused("Select at least one payout.", 422);
  const names = await readPayoutNames(payoutIds);
  const problems: string[] = [];
  let status: number | undefined;
  let count = 0;
  for (const payoutId of payoutIds) {
    const result = await runAction(payoutId).catch((error: unknown) => {
      if (isDatabaseLost(error)) throw error;
      logFailure("error", { payoutId, error }, "action on a payout failed");
      return null;
    });
    if (result?.ok) count += 1;
    else {
      if (result?.refusal === "unreachable") status = 503;
      problems.push(
        `${names.get(payoutId) ?? "A payout"}: ${result ? toRefusalMessage(result) : "failed; please try again."}`,
      );
    }
  }
  const message = [...(count > 0 ? [successMessage(count)] : []), ...problems].join(" ");
  return problems.length > 0 ? actionRefused(message, status) : actionSucceeded(message);
}

function toRefusalMessage(result: Refusal): string {
  switch (result.refusal) {
    case "yourself":
      return "your own payout: another admin must do this.";
    case "no-such-payout":
      return "payout not found.";
    case "already-paid":
      return "already paid.";
    case "not-processing":
      return "start processing it first.";
    case "not-exported":
      return "it is in no payment file and no transfer.";
    case "stopped":
      return "it was stopped.";
    case "transfer-in-progress":
      return "its transfer is in progress. Paystack decides whether it was paid.";
    case "no-transfer":
      return "nothing was sent to Paystack yet.";
    case "unreachable":
      return "Paystack can't be reached. Please try again.";
    case "reason-missing":
      return "please give the reason.";
    case "no-bank-details":
      return "no bank details.";
    case "bank-details-new":
      return `bank details changed, no payout before ${formatInstant(result.until)}.`;
  }
}

async function readPayoutNames(payoutIds: string[]): Promise<Map<string, string>> {
  const { payouts } = await listPayouts({ payoutIds, limit: payoutIds.length });
  const named = await addCreatorNames(payouts);
  return new Map(named.map(({ id, creatorName }) => [id, creatorName || "A payout"]));
}
