import { useState } from "react";
import { useFetcher } from "react-router";
import { GUEST_DEAL } from "#domain/coin-packs.ts";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { useFocusFirstError } from "#identity/identity.ui.tsx";
import { Button } from "#ui/button.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { NOT_CHARGED, newIdempotencyKey } from "./checkout-form.ts";
import { useSavedFields } from "./use-saved-fields.ts";

/** Result of the form when it did not lead to the payment page. */
export type GuestAnswer = {
  message?: string;
  errors?: Partial<Record<"name" | "email" | "password" | "agreed", string>>;
  /** Submitted values to fill in again; never the password. */
  values: { name: string; email: string };
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
  /** Result of the form when it was sent without scripts. */
  answer?: GuestAnswer;
};

/** The form to buy one race card and create an account, used in a dialog and on a page. */
export function GuestPurchaseForm({
  raceCardId,
  racesRun,
  raceCount,
  returnTo,
  idempotencyKey,
  answer: initialAnswer,
}: GuestPurchaseFormProps) {
  const fetcher = useFetcher<GuestAnswer>();
  const [ownKey] = useState(() => idempotencyKey ?? newIdempotencyKey());
  const answer = fetcher.data ?? initialAnswer;
  const form = useFocusFirstError(answer);
  useSavedFields(form);
  const errors = answer?.errors ?? {};
  const run = answer?.racesRun ?? racesRun;
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={`/unlock/${raceCardId}`}
      noValidate
      data-not-sent={NOT_CHARGED}
      data-no-response={NOT_CHARGED}
      className="grid gap-4"
    >
      <input type="hidden" name="idempotencyKey" value={answer?.idempotencyKey ?? ownKey} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <input type="hidden" name="acknowledgedRacesRun" value={run} />
      {answer?.message ? <FormMessage type="error">{answer.message}</FormMessage> : null}
      {run > 0 ? (
        <FormMessage type="warning" title={`${run} of ${raceCount} races run`}>
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
        defaultValue={answer?.values.name}
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
        defaultValue={answer?.values.email}
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
        pending={fetcher.state !== "idle"}
        pendingLabel="Opening the payment page"
      >
        Pay {formatRand(GUEST_DEAL.priceCents)} and open race card
      </Button>
      <p className="text-xs text-ink-3">
        {formatRand(GUEST_DEAL.priceCents)} opens this race card and adds{" "}
        {formatCoins(GUEST_DEAL.amountCoins)} to your new account. One offer per email address and
        payment card: if either has been used before, the {formatCoins(GUEST_DEAL.amountCoins)} you
        buy pay for this race card and none are left over. Purchases are final, except where the law
        gives you a right to cancel.
      </p>
    </fetcher.Form>
  );
}
