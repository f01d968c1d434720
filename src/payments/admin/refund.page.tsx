import { randomUUID } from "node:crypto";
import { data, Form, redirect } from "react-router";
import { readUsers } from "#accounts/accounts.server.ts";
import { handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { AdminForm, CodeField, refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { formatCoins } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import { parseForm, readField } from "#platform/parse-form.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { RadioGroupField } from "#ui/forms/radio-group-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { findPurchase } from "../purchases.server.ts";
import { refundInput, refundTermsInput } from "../refunds/refund.input.ts";
import { previewRefund, requestRefund } from "../refunds/refund-purchase.server.ts";
import type { Route } from "./+types/refund.page.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";
export { revalidateAfterConflict as shouldRevalidate } from "#ui/forms/revalidate-after-conflict.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Refund, Admin",
    description: "Refund a sale, whole or in part.",
    isPrivate: true,
  });

const REFUSALS = refusalMessages({
  "no-such-purchase": ["Sale not found", 404],
  yourself: ["You can't refund your own purchase", 403],
  "not-refundable": ["This payment can be refunded in the provider's dashboard only", 409],
  disputed: ["This payment is disputed. Answer the dispute instead", 409],
  "in-progress": ["A refund of this sale is in progress", 409],
  "above-remaining": ["More than what is left of this payment", 409],
  "remaining-changed": ["What is left of this payment has changed. Check the new preview", 409],
  "other-terms": ["This form has already refunded another amount. Start again from the sale", 409],
});

type Refusal = { refusal: keyof typeof REFUSALS; remainingCents: number };

function describeRefusal({ refusal, remainingCents }: Refusal): string {
  return refusal === "above-remaining"
    ? `At most ${formatCents(remainingCents)} of this payment is left`
    : `${REFUSALS[refusal][0]}.`;
}

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const purchase = await findPurchase(params.purchaseId);
  if (!purchase) throw data(null, { status: 404 });
  const buyer = (await readUsers([purchase.userId])).get(purchase.userId);
  const { searchParams } = new URL(request.url);
  const form = new FormData();
  for (const name of ["amount", "bearer"]) form.set(name, searchParams.get(name) ?? "");
  const parsed = parseForm(refundTermsInput, form);
  const isAsked = searchParams.has("amount");
  return {
    purchase,
    buyerName: buyer?.name ?? "",
    values: {
      amount: isAsked ? readField(form, "amount") : (purchase.remainingCents / 100).toFixed(2),
      bearer: readField(form, "bearer"),
    },
    errors: isAsked && !parsed.ok ? parsed.errors : {},
    preview: isAsked && parsed.ok ? await preview(admin.id, purchase.id, parsed.values) : null,
  };
}

type Terms = { amount: number; bearer: "buyer" | "house" };

async function preview(adminId: string, purchaseId: string, { amount, bearer }: Terms) {
  const effect = await previewRefund(adminId, {
    purchaseId,
    amountCents: amount,
    isBorneByHouse: bearer === "house",
  });
  if (!effect.ok) return { ok: false as const, message: describeRefusal(effect) };
  const raceCards = await readRaceCardSummaries(
    effect.earnings.map((earning) => earning.raceCardId),
  );
  return {
    ...effect,
    id: randomUUID(),
    amountCents: amount,
    earnings: effect.earnings.map((earning) => {
      const raceCard = raceCards.get(earning.raceCardId);
      return {
        ...earning,
        venueName: raceCard?.venue.name ?? "",
        raceDate: raceCard?.raceDate ?? null,
      };
    }),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await handleAdminForm(admin, {
    request,
    context,
    input: refundInput,
    invalid: ({ reason, amount, bearer }) => ({
      ...(reason ? { errors: { reason } } : {}),
      message: amount ?? bearer,
    }),
    needsCode: true,
    run: ({ id, amount, bearer, remaining, reason }) =>
      requestRefund(admin.id, {
        id,
        purchaseId: params.purchaseId,
        amountCents: amount,
        isBorneByHouse: bearer === "house",
        shownRemainingCents: remaining,
        reason,
      }),
    done: () => redirect(`/admin/purchases/${params.purchaseId}`),
    refusals: (refused) => [describeRefusal(refused), REFUSALS[refused.refusal][1]],
    failed: "Failed to refund",
  });
}

/** Refunds a purchase: asks how much and who bears spent coins, shows what that changes, and asks for the reason. */
export default function RefundPage({ loaderData, actionData }: Route.ComponentProps) {
  const { purchase, buyerName, values, errors, preview } = loaderData;
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to={`/admin/purchases/${purchase.id}`} standalone className="text-sm">
          Back to the sale
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead={`${purchase.coinPackTitle} of ${buyerName}. ${formatCents(purchase.remainingCents)} of ${formatCents(purchase.amountCents)} is left to refund.`}
        >
          Refund
        </SectionHeading>
      </div>
      <Form method="get" noValidate className="grid max-w-md gap-4" preventScrollReset>
        <TextField
          label="Amount in rand"
          name="amount"
          inputMode="decimal"
          figures
          required
          defaultValue={values.amount}
          error={errors.amount}
        />
        <RadioGroupField
          label="Coins that are spent"
          name="bearer"
          layout="list"
          required
          defaultValue={values.bearer}
          error={errors.bearer}
          options={[
            {
              value: "buyer",
              label: "The buyer owes them",
              hint: "Their tipsters lose what they earned with them",
            },
            {
              value: "house",
              label: "The house bears them",
              hint: "They are granted to the buyer, and the tipsters keep what they earned",
            },
          ]}
        />
        <div>
          <Button type="submit" variant="secondary">
            Show what changes
          </Button>
        </div>
      </Form>
      {preview && !preview.ok ? <FormMessage type="error">{preview.message}</FormMessage> : null}
      {preview?.ok ? (
        <section className="grid gap-4">
          <SectionHeading>What changes</SectionHeading>
          <Effect preview={preview} />
          <AdminForm
            key={`${values.amount} ${values.bearer}`}
            actionData={actionData}
            submitLabel={`Refund ${formatCents(preview.amountCents)}`}
            pendingLabel="Refunding"
          >
            {(field) => (
              <>
                <input type="hidden" name="id" value={preview.id} />
                <input type="hidden" name="amount" value={values.amount} />
                <input type="hidden" name="bearer" value={values.bearer} />
                <input type="hidden" name="remaining" value={preview.remainingCents} />
                <TextField
                  label="Reason"
                  hint="Stored with the refund. The buyer doesn't see it."
                  required
                  {...field("reason")}
                />
                <CodeField error={field("code").error} />
              </>
            )}
          </AdminForm>
        </section>
      ) : null}
    </div>
  );
}

type Preview = Extract<NonNullable<Route.ComponentProps["loaderData"]["preview"]>, { ok: true }>;

function Effect({ preview }: { preview: Preview }) {
  const { amountCents, walletCoins, owedCoins, grantedCoins, earnings } = preview;
  const sentences = [
    `${formatCents(amountCents)} goes back to the payer.`,
    walletCoins > 0 ? `The wallet loses ${formatCoins(walletCoins)}.` : null,
    owedCoins > 0 ? `The buyer owes ${formatCoins(owedCoins)}.` : null,
    grantedCoins > 0 ? `The house grants ${formatCoins(grantedCoins)}.` : null,
    earnings.length === 0 ? "No earning changes." : null,
  ];
  return (
    <>
      <ul className="grid gap-1">
        {sentences.map((sentence) => (sentence ? <li key={sentence}>{sentence}</li> : null))}
      </ul>
      {earnings.length > 0 ? (
        <Table
          caption="Earnings that change"
          columns={columns}
          rows={earnings}
          rowKey={({ saleId }) => String(saleId)}
        />
      ) : null}
    </>
  );
}

const columns: readonly TableColumn<Preview["earnings"][number]>[] = [
  {
    key: "card",
    header: "Race card",
    isRowHeader: true,
    cell: ({ raceCardId, venueName, raceDate }) => (
      <TextLink to={`/admin/race-cards/${raceCardId}`}>
        {venueName}
        {raceDate ? (
          <>
            , <RaceDate date={raceDate} />
          </>
        ) : null}
      </TextLink>
    ),
  },
  {
    key: "before",
    header: "Earning",
    align: "right",
    cell: ({ beforeCents }) => <RandAmount amountCents={beforeCents} areCentsShown />,
  },
  {
    key: "after",
    header: "After",
    align: "right",
    cell: ({ afterCents, isKept }) =>
      isKept ? (
        "In a payout, the house bears it"
      ) : (
        <RandAmount amountCents={afterCents} areCentsShown />
      ),
  },
];
