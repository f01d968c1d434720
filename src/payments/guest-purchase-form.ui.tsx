import { useState } from "react";
import { useFetcher } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { formatCoins, formatRand } from "#domain/coins.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { Button } from "#ui/button.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useLeavingPage } from "#ui/forms/use-leaving-page.ts";
import { usePrices } from "#ui/prices.ts";
import { TextLink } from "#ui/text-link.tsx";
import { createIdempotencyKey, NOT_CHARGED_MESSAGE, shownPriceField } from "./checkout-form.ts";
import { useSavedFields } from "./use-saved-fields.ts";

/** Result of the form when it did not lead to the payment page. */
export type GuestPurchaseResult = RefusedForm & {
  /** Current number of races run, which the guest has to acknowledge. */
  racesRun: number;
  idempotencyKey: string;
};

type GuestPurchaseFormProps = {
  raceCardId: string;
  racesRun: number;
  raceCount: number;
  /** Path to return to when the payment is cancelled. */
  returnTo: string;
  /** Set by the server on a page; a dialog creates its own. */
  idempotencyKey?: string;
  /** Result of the form when it was sent without JavaScript. */
  result?: GuestPurchaseResult;
};

/** The form to buy one race card and create an account, used in a dialog and on a page. */
export function GuestPurchaseForm({
  raceCardId,
  racesRun,
  raceCount,
  returnTo,
  idempotencyKey,
  result: initialResult,
}: GuestPurchaseFormProps) {
  const { guestDeal } = usePrices();
  const fetcher = useFetcher<GuestPurchaseResult>();
  const isPending = useLeavingPage(fetcher.state);
  const [createdKey] = useState(() => idempotencyKey ?? createIdempotencyKey());
  const result = fetcher.data ?? initialResult;
  const form = useFocusFirstError(result);
  useSavedFields(form);
  const errors = result?.errors ?? {};
  const currentRacesRun = result?.racesRun ?? racesRun;
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={`/unlock/${raceCardId}`}
      noValidate
      data-not-sent={NOT_CHARGED_MESSAGE}
      data-no-response={NOT_CHARGED_MESSAGE}
      className="grid gap-3"
    >
      <input type="hidden" name="idempotencyKey" value={result?.idempotencyKey ?? createdKey} />
      <input type="hidden" name={shownPriceField(guestDeal.id)} value={guestDeal.priceCents} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <input type="hidden" name="acknowledgedRacesRun" value={currentRacesRun} />
      {result?.message ? <FormMessage type="error">{result.message}</FormMessage> : null}
      {currentRacesRun > 0 ? (
        <FormMessage type="warning" title={`${currentRacesRun} of ${raceCount} races run`}>
          The price is the same. You'll see{" "}
          {raceCount === 1 ? "the selection" : `all ${raceCount} selections`}, including{" "}
          {raceCount === 1 ? "for a race already run" : "those for races already run"}.
        </FormMessage>
      ) : null}
      <TextField
        label="Full Name"
        name="name"
        autoComplete="name"
        required
        maxLength={120}
        defaultValue={result?.values.name}
        error={errors.name}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={result?.values.email}
        error={errors.email}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        hint="Minimum 6 characters"
        required
        error={errors.password}
      />
      <CheckboxField
        name="agreed"
        error={errors.agreed}
        label={
          <>
            I am 18 or older and agree to the{" "}
            <TextLink to="/terms-of-service">terms of service</TextLink> and the{" "}
            <TextLink to="/privacy">privacy policy</TextLink>
          </>
        }
      />
      <Button
        type="submit"
        variant="coin"
        size="large"
        wide
        pending={isPending}
        pendingLabel="Opening the payment page"
      >
        Pay {formatRand(guestDeal.priceCents)} and open
      </Button>
      <p className="text-xs text-ink-3">
        {formatRand(guestDeal.priceCents)} opens this race card and adds{" "}
        {formatCoins(guestDeal.amountCoins)} to your new account. You pay by card. One offer per
        email address and payment card: if either has been used before, the{" "}
        {formatCoins(guestDeal.amountCoins)} you buy pay for this race card and none are left over.
        Purchases are final, except where the law gives you a right to cancel.
      </p>
    </fetcher.Form>
  );
}
