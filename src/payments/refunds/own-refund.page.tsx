import { randomUUID } from "node:crypto";
import { data, Form, redirect, useNavigation } from "react-router";
import * as v from "valibot";
import { requireViewer } from "#accounts/accounts.server.ts";
import { ProfileLayout } from "#accounts/accounts.ui.tsx";
import { formatCoins } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/own-refund.page.ts";
import { CANCELLATION_DAYS } from "./cancellation-days.ts";
import { shownCentsInput } from "./refund.input.ts";
import { readOwnRefund, refundOwnPurchase } from "./refund-own-purchase.server.ts";

const input = v.object({ id: v.pipe(v.string(), v.uuid()), amount: shownCentsInput });

const REFUSALS = {
  "no-such-purchase": ["This isn't one of your purchases.", 404],
  "too-late": [
    `A purchase can be cancelled within ${CANCELLATION_DAYS} days. Write to us if something went wrong with it.`,
    409,
  ],
  "in-progress": ["This refund is in progress. We email you once it is made.", 409],
  "not-refundable": ["This payment can't be refunded from here. Write to us.", 409],
  disputed: ["This payment is disputed with your bank, which decides about it.", 409],
  "wallet-frozen": [
    "Another of your payments is in dispute with the bank or being refunded. You can cancel this purchase once that is resolved.",
    409,
  ],
  spent: ["All coins of this purchase are spent or refunded.", 409],
  "amount-changed": ["What you get back has changed. Check the new amount.", 409],
} as const;

export { revalidateAfterConflict as shouldRevalidate } from "#ui/forms/revalidate-after-conflict.ts";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  const viewer = await requireViewer(context, request);
  const refund = await readOwnRefund(viewer.id, params.purchaseId);
  if (refund.ok) return { refund: { ...refund, id: randomUUID() }, message: null };
  if (refund.refusal === "no-such-purchase") throw data(null, { status: 404 });
  return { refund: null, message: REFUSALS[refund.refusal][0] };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const viewer = await requireViewer(context, request);
  return await handleForm(await request.formData(), {
    input,
    invalid: () => ["Please try again.", 422],
    run: ({ id, amount }) =>
      refundOwnPurchase(viewer.id, { id, purchaseId: params.purchaseId, shownCents: amount }),
    done: () => redirect("/profile#recent-purchases"),
    refusals: REFUSALS,
  });
}

export const meta = () =>
  pageMeta({
    title: "Cancel a purchase",
    description: "Get back what you paid for coins that you haven't spent.",
    isPrivate: true,
  });

/** Says what a buyer gets back of a purchase, and requests it. */
export default function OwnRefundPage({ loaderData, actionData }: Route.ComponentProps) {
  const { refund } = loaderData;
  const isPending = useNavigation().formAction?.startsWith("/profile/purchases/") ?? false;
  const message = actionData?.message ?? loaderData.message;
  return (
    <ProfileLayout
      title="Cancel a purchase"
      lead={`Within ${CANCELLATION_DAYS} days you can cancel a purchase and get back what you paid for the coins that you haven't spent. Race cards that you have opened stay open, and their coins aren't refunded.`}
    >
      {message ? <FormMessage type="error">{message}</FormMessage> : null}
      {refund ? (
        <Form method="post" className="grid gap-4">
          <input type="hidden" name="id" value={refund.id} />
          <input type="hidden" name="amount" value={refund.amountCents} />
          <p>
            {refund.coinPackTitle}: {formatCoins(refund.coins)} not spent.{" "}
            <strong>{formatCents(refund.amountCents)}</strong> goes back the way you paid. A bank
            can take ten working days. You can't open race cards until the refund is made, usually
            within a minute.
          </p>
          <Button type="submit" pending={isPending} pendingLabel="Cancelling">
            Refund {formatCents(refund.amountCents)}
          </Button>
        </Form>
      ) : null}
      <p className="text-sm text-ink-2">
        Your rights are in{" "}
        <TextLink to="/terms-of-service#refunds">refunds and cancelling</TextLink>.
      </p>
    </ProfileLayout>
  );
}
