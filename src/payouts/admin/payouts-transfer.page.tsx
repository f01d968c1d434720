import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { readCreatorSummaries } from "#creators/creators.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import {
  type ReleaseTransfersResult,
  releaseTransfers,
} from "../transfers/release-transfers.server.ts";
import type { Route } from "./+types/payouts-transfer.page.ts";
import { paymentFileProblemMessage } from "./payment-file-messages.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, form }) => {
      const result = await releaseTransfers(admin.id, form.getAll("payout").map(String));
      if (!result.ok) return actionRefused(await toMessage(result), STATUSES[result.refusal]);
      const transfers = result.payments === 1 ? "1 transfer" : `${result.payments} transfers`;
      return actionSucceeded(`${transfers} of ${formatCents(result.totalCents)} released.`);
    },
    { needsCode: true },
  );

/** The statuses of refusals; 409 for the others. */
const STATUSES: Partial<Record<Refusal["refusal"], number>> = {
  "nothing-chosen": 422,
  unreachable: 503,
};

type Refusal = Extract<ReleaseTransfersResult, { ok: false }>;

async function toMessage(result: Refusal): Promise<string> {
  switch (result.refusal) {
    case "transfers-off":
      return "Transfers are off (PAYOUT_PROVIDER). Download a payment file instead.";
    case "unreachable":
      if (result.creatorIds.length > 0) break;
      return "Paystack can't be reached. Nothing was released. Please try again.";
    case "balance-too-low":
      return `The Paystack balance of ${formatCents(result.balanceCents)} does not cover ${formatCents(result.neededCents)}. Nothing was released. Top it up or select fewer payouts.`;
    case "yourself":
      return "Another admin must release your own payout.";
    case "not-processing":
      return "Only payouts with status Processing can be released. Start processing them first.";
    case "already-exported":
      return `${await readNames(result.exported.map(({ creatorId }) => creatorId))}: in a payment file. Mark it as paid, or withdraw it from the file first.`;
  }
  const problem = paymentFileProblemMessage(result.refusal);
  if (!("creatorIds" in result)) return problem;
  return `${problem} Affected: ${await readNames(result.creatorIds)}.`;
}

async function readNames(creatorIds: string[]): Promise<string> {
  const creators = await readCreatorSummaries(creatorIds);
  return creatorIds.map((id) => creators.get(id)?.name ?? "").join(", ");
}
