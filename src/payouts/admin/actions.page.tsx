import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { reasonForm } from "#admin-kit/admin-kit.ui.tsx";
import { readCreatorSummaries } from "#creators/creators.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import { readField } from "#platform/parse-form.ts";
import { markPayoutPaid } from "../mark-payout-paid.server.ts";
import { releaseEarning, reverseHeldEarning } from "../review-earning.server.ts";
import { startPayout } from "../start-payout.server.ts";
import { askAboutTransfer } from "../transfers/ask-about-transfer.server.ts";
import {
  type ReleaseTransfersResult,
  releaseTransfers,
} from "../transfers/release-transfers.server.ts";
import { resolveTransfer } from "../transfers/resolve-transfer.server.ts";
import { withdrawExport } from "../withdraw-export.server.ts";
import { paymentFileProblemMessage } from "./payment-file-messages.ts";
import { type PayoutActionResult, runOnEachPayout } from "./run-on-each-payout.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const REVIEW_REFUSALS = {
  "no-such-sale": ["Sale not found.", 404],
  yourself: ["This is your own earning. Another admin must review it.", 403],
  disputed: "The buyer's payment is in dispute. The earning stays held until it is resolved.",
  "already-released": "Already released.",
  "already-reversed": "Already reversed.",
  "reason-missing": ["Please enter a reason.", 422],
} as const;

export const action = adminActions({
  "/admin/payouts/start": onEachPayout(startPayout, (count) =>
    count === 1 ? "1 payout is now processing." : `${count} payouts are now processing.`,
  ),
  "/admin/payouts/paid": onEachPayout(
    (adminId, payoutId, form) => markPayoutPaid(adminId, payoutId, readShownExport(form, payoutId)),
    (count) => (count === 1 ? "1 payout marked as paid." : `${count} payouts marked as paid.`),
  ),
  "/admin/payouts/withdraw": onEachPayout(
    (adminId, payoutId, form) =>
      withdrawExport(adminId, payoutId, {
        shownExportId: readShownExport(form, payoutId),
        reason: readField(form, "reason"),
      }),
    (count) =>
      count === 1
        ? "1 payout withdrawn. It can be paid again."
        : `${count} payouts withdrawn. They can be paid again.`,
  ),
  "/admin/payouts/ask-provider": onEachPayout(
    askAboutTransfer,
    (count) =>
      `Paystack was asked about ${count === 1 ? "1 payout" : `${count} payouts`}. The list shows what it said.`,
    { needsCode: false },
  ),
  "/admin/payouts/transfer": adminAction({
    needsCode: true,
    run: ({ admin, form }) => releaseTransfers(admin.id, form.getAll("payout").map(String)),
    done: ({ payments, totalCents }) =>
      `${payments === 1 ? "1 transfer" : `${payments} transfers`} of ${formatCents(totalCents)} released.`,
    refusals: describeTransferRefusal,
  }),
  "/admin/payouts/transfers/:reference/resolve": adminAction({
    input: reasonForm,
    confirm: {
      title: "Resolve transfer",
      message:
        "The books stay as they are. If the transfer failed here, its money must have been claimed back. If it was paid here, its money must have arrived.",
      confirmText: "Resolve",
    },
    needsCode: true,
    run: ({ admin, params, input }) => resolveTransfer(admin.id, params.reference, input.reason),
    done: "Transfer resolved. The tipster's payouts can be paid.",
    refusals: {
      "no-such-transfer": ["Transfer not found.", 404],
      yourself: ["This is your own payout. Another admin must resolve it.", 403],
      "not-contradicted": "The books and Paystack agree about this transfer.",
      "reason-missing": ["Please enter a reason.", 422],
    },
  }),
  "/admin/attention/sales/:saleId/release": adminAction({
    confirm: {
      title: "Release earning",
      message: "It can be paid out from its payable date.",
      confirmText: "Release",
      isDestructive: false,
    },
    needsCode: true,
    run: ({ admin, params }) => releaseEarning(admin.id, Number(params.saleId)),
    done: "Released. It can be paid out from its payable date.",
    refusals: REVIEW_REFUSALS,
  }),
  "/admin/attention/sales/:saleId/reverse": adminAction({
    input: reasonForm,
    confirm: {
      title: "Reverse earning",
      message: "The tipster isn't paid for this sale. The buyer keeps the race card.",
      confirmText: "Reverse",
    },
    needsCode: true,
    run: ({ admin, params, input }) =>
      reverseHeldEarning(admin.id, Number(params.saleId), input.reason),
    done: "Earning reversed. The tipster isn't paid for this sale. The buyer keeps the race card.",
    refusals: REVIEW_REFUSALS,
  }),
});

/** Returns an action on each selected payout. Its message has the number of successes and the reason of each refusal. */
function onEachPayout(
  run: (adminId: string, payoutId: string, form: FormData) => Promise<PayoutActionResult>,
  done: (count: number) => string,
  { needsCode } = { needsCode: true },
) {
  return adminAction({
    needsCode,
    run: ({ admin, form }) => runOnEachPayout(form, (payoutId) => run(admin.id, payoutId, form)),
    done: ({ count }) => done(count),
    refusals: (result) =>
      result.refusal === "nothing-chosen"
        ? ["Select at least one payout.", 422]
        : [
            [...(result.count > 0 ? [done(result.count)] : []), ...result.problems].join(" "),
            result.status,
          ],
  });
}

/** Returns the export of a payout that the list showed to the admin, or null if it showed none. */
function readShownExport(form: FormData, payoutId: string): string | null {
  return readField(form, `export-${payoutId}`) || null;
}

async function describeTransferRefusal(
  result: Extract<ReleaseTransfersResult, { ok: false }>,
): Promise<string | [message: string, status: number]> {
  const problem = paymentFileProblemMessage(result.refusal);
  switch (result.refusal) {
    case "transfers-off":
      return "Transfers are off (PAYOUT_PROVIDER). Download a payment file instead.";
    case "nothing-chosen":
      return [problem, 422];
    case "balance-too-low":
      return `The Paystack balance of ${formatCents(result.balanceCents)} does not cover ${formatCents(result.neededCents)}. Nothing was released. Top it up or select fewer payouts.`;
    case "yourself":
      return "Another admin must release your own payout.";
    case "not-processing":
      return "Only payouts with status Processing can be released. Start processing them first.";
    case "already-exported":
      return `${await readNames(result.exported.map(({ creatorId }) => creatorId))}: in a payment file. Mark it as paid, or withdraw it from the file first.`;
    case "unreachable":
      if (result.creatorIds.length === 0)
        return ["Paystack can't be reached. Nothing was released. Please try again.", 503];
  }
  const message = `${problem} Affected: ${await readNames(result.creatorIds)}.`;
  return result.refusal === "unreachable" ? [message, 503] : message;
}

async function readNames(creatorIds: string[]): Promise<string> {
  const creators = await readCreatorSummaries(creatorIds);
  return creatorIds.map((id) => creators.get(id)?.name ?? "").join(", ");
}
