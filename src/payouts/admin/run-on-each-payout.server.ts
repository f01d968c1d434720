import { formatInstant } from "#domain/calendar.ts";
import { isDatabaseLost } from "#platform/database.server.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { listPayouts } from "../list-payouts.server.ts";
import type { MarkPayoutPaidResult } from "../mark-payout-paid.server.ts";
import type { StartPayoutResult } from "../start-payout.server.ts";
import type { AskAboutTransferResult } from "../transfers/ask-about-transfer.server.ts";
import type { WithdrawExportResult } from "../withdraw-export.server.ts";
import { addCreatorNames } from "./creator-names.server.ts";

export type PayoutActionResult =
  | StartPayoutResult
  | MarkPayoutPaidResult
  | WithdrawExportResult
  | AskAboutTransferResult;
type Refusal = Extract<PayoutActionResult, { ok: false }>;

type EachPayoutResult =
  | { ok: true; count: number }
  | { ok: false; refusal: "nothing-chosen" }
  | { ok: false; refusal: "some-refused"; count: number; problems: string[]; status: number };

/** Runs an action on each selected payout. A payout whose action fails stops no other. */
export async function runOnEachPayout(
  form: FormData,
  runAction: (payoutId: string) => Promise<PayoutActionResult>,
): Promise<EachPayoutResult> {
  const payoutIds = [...new Set(form.getAll("payout").map(String))];
  if (payoutIds.length === 0) return { ok: false, refusal: "nothing-chosen" };
  const names = await readPayoutNames(payoutIds);
  const problems: string[] = [];
  let status = 409;
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
  return problems.length > 0
    ? { ok: false, refusal: "some-refused", count, problems, status }
    : { ok: true, count };
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
    case "export-changed":
      return "it was put in another payment file or transfer meanwhile. Check that one first.";
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
