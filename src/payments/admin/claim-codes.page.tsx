import * as v from "valibot";
import { formSuccess, handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { AdminForm, CodeField } from "#admin-kit/admin-kit.ui.tsx";
import { formatCents } from "#domain/format-cents.ts";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { randInput } from "../refunds/refund.input.ts";
import { CLAIM_CODE_REFUSALS, claimCodeInput } from "../unspent-coins/claim-code.input.ts";
import { payClaimCode } from "../unspent-coins/redeem-claim-code.server.ts";
import type { Route } from "./+types/claim-codes.page.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Claim codes, Admin",
    description: "Record the payment of a claim code.",
    isPrivate: true,
  });

const REFERENCE = "Please enter the reference of the payment";

const input = v.object({
  claimCode: claimCodeInput,
  amount: randInput,
  bankReference: v.pipe(
    v.string(REFERENCE),
    v.maxLength(60, "Reference must be at most 60 characters long"),
    v.trim(),
    v.nonEmpty(REFERENCE),
  ),
});

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await handleAdminForm(admin, {
    request,
    context,
    input,
    needsCode: true,
    run: ({ claimCode, amount, bankReference }) =>
      payClaimCode(admin.id, { claimCode, amountCents: amount, bankReference }),
    done: (_, { amount }) => formSuccess(`Recorded the payment of ${formatCents(amount)}.`),
    refusals: (refused) => {
      if (refused.refusal === "other-amount")
        return {
          errors: { amount: `${formatCents(refused.dueCents)} is due for this code` },
          status: 409,
        };
      const [claimCode, status] = CLAIM_CODE_REFUSALS[refused.refusal];
      return { errors: { claimCode }, status };
    },
    failed: "Failed to record the payment",
  });
}

/** Records that a claim code was paid to a bank account. */
export default function ClaimCodes({ actionData }: Route.ComponentProps) {
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/purchases" standalone className="text-sm">
          All purchases
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead="Somebody who closed an account, and whose refund failed, can enter their claim code in another account. If they want the money instead, ask for the code and a bank account. Any other amount than the one that is due is refused with the right one, before you pay it."
        >
          Pay a claim code
        </SectionHeading>
      </div>
      <AdminForm actionData={actionData} submitLabel="Record payment" pendingLabel="Recording">
        {(field) => (
          <>
            <TextField label="Claim code" autoComplete="off" required {...field("claimCode")} />
            <TextField
              label="Amount in rand"
              inputMode="decimal"
              figures
              required
              {...field("amount")}
            />
            <TextField label="Reference of the payment" required {...field("bankReference")} />
            <CodeField error={field("code").error} />
          </>
        )}
      </AdminForm>
    </div>
  );
}
