import { data } from "react-router";
import { requireCreator } from "#creators/creators.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import type { CreatePayoutResult } from "../create-payout.server.ts";
import { requestPayout } from "../create-payout.server.ts";
import type { Route } from "./+types/payout.page.ts";
import type { PayoutRequestResult } from "./payout-panel.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Payout", description: "Request a payout.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  await requireCreator(context);
  return null;
}

export async function action({ context }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  const result = await requestPayout(creator.id);
  return data<PayoutRequestResult>(toRequestResult(result), { status: result.ok ? 200 : 409 });
}

function toRequestResult(result: CreatePayoutResult): PayoutRequestResult {
  if (result.ok)
    return {
      ok: true,
      title: `${formatCents(result.amountCents)} is in progress`,
      message: "We've emailed you the details.",
    };
  switch (result.refusal) {
    case "below-minimum":
      return {
        ok: false,
        title: `You need ${formatCents(result.missingCents)} more for a payout`,
        message: `${formatCents(result.payableCents)} is payable now. The minimum payout is R100. New sales become payable after 14 days, but not before the day after the race.`,
      };
    case "nothing-payable":
      return {
        ok: false,
        title: "Nothing is payable now",
        message: "Sales become payable after 14 days, but not before the day after the race.",
      };
    case "payout-open":
      return {
        ok: false,
        title: "You already have a payout in progress",
        message: "You can request another when this one has been paid.",
      };
    case "no-bank-details":
      return {
        ok: false,
        title: "We don't have your bank details",
        message: "Please add your bank details first.",
      };
    case "bank-details-unusable":
      return {
        ok: false,
        title: "Please enter your bank details again",
        message: "The account holder or bank on record contains characters that no bank accepts.",
      };
    case "bank-details-new":
      return {
        ok: false,
        title: "Your bank details were changed",
        message: `For your security, we can't pay out until ${formatInstant(result.until)}.`,
      };
  }
}

/**
 * Shows a successful request as a toast. This is not left to the form, because the open payout
 * replaces it before it can render the response.
 */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const result = await serverAction();
  if (result.ok) showToast({ type: "success", title: result.title, message: result.message });
  return result;
}

/** Shows the result of a payout request when scripts are disabled. */
export default function Payout({ actionData: result }: Route.ComponentProps) {
  return (
    <div className="grid max-w-xl gap-4">
      {result ? (
        <FormMessage type={result.ok ? "success" : "warning"} title={result.title}>
          {result.message}
        </FormMessage>
      ) : null}
      <TextLink to="/tipster-dashboard/earnings" standalone>
        Back to your earnings
      </TextLink>
    </div>
  );
}
