import { actionRefused, actionSucceeded, passwordRefusals } from "#admin-kit/admin-kit.server.ts";
import { readCreatorSummaries } from "#creators/creators.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { checkPassword, type Viewer } from "#identity/identity.server.ts";
import { readField } from "#platform/parse-form.ts";
import { listPayouts } from "../list-payouts.server.ts";
import type { MarkPayoutPaidAnswer } from "../mark-payout-paid.server.ts";
import type { StartPayoutAnswer } from "../start-payout.server.ts";
import type { WithdrawExportAnswer } from "../withdraw-export.server.ts";

type Answer = StartPayoutAnswer | MarkPayoutPaidAnswer | WithdrawExportAnswer;
type Refused = Extract<Answer, { ok: false }>;

/**
 * Verifies the admin's password and runs an action on each selected payout. The message has the number of
 * successes and the reason of each refusal.
 */
export async function runOnEachPayout(
  admin: Viewer,
  form: FormData,
  run: (payoutId: string) => Promise<Answer>,
  successMessage: (count: number) => string,
) {
  const payoutIds = [...new Set(form.getAll("payout").map(String))];
  if (payoutIds.length === 0) return actionRefused("Select at least one payout.", 422);
  const check = await checkPassword(admin.id, readField(form, "password"));
  if (check !== "right") return actionRefused(...passwordRefusals[check]);
  const names = await payoutNames(payoutIds);
  const problems: string[] = [];
  let count = 0;
  for (const payoutId of payoutIds) {
    const answer = await run(payoutId);
    if (answer.ok) count += 1;
    else problems.push(`${names.get(payoutId) ?? "A payout"}: ${problemOf(answer)}`);
  }
  const message = [...(count > 0 ? [successMessage(count)] : []), ...problems].join(" ");
  return problems.length > 0 ? actionRefused(message) : actionSucceeded(message);
}

function problemOf(answer: Refused): string {
  switch (answer.refusal) {
    case "no-such-payout":
      return "payout not found.";
    case "already-paid":
      return "already paid.";
    case "not-processing":
      return "start processing it first.";
    case "not-exported":
      return "it is in no payment file.";
    case "stopped":
      return "it was stopped.";
    case "reason-missing":
      return "please give the reason.";
    case "no-bank-details":
      return "no bank details.";
    case "bank-details-new":
      return `bank details changed, no payout before ${formatInstant(answer.until)}.`;
  }
}

async function payoutNames(payoutIds: string[]): Promise<Map<string, string>> {
  const { payouts } = await listPayouts({ payoutIds, limit: payoutIds.length });
  const creators = await readCreatorSummaries(payouts.map((payout) => payout.creatorId));
  return new Map(
    payouts.map((payout) => [payout.id, creators.get(payout.creatorId)?.name ?? "A payout"]),
  );
}
