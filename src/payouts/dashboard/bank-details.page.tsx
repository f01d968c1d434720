import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import * as v from "valibot";
import { tooManyAttemptsMessage, useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { requireCreator } from "#creators/creators.server.ts";
import { formatInstant } from "#domain/calendar.ts";
import { BANK_DETAILS_WAIT_HOURS } from "#domain/pay-day.ts";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { ACCOUNT_TYPES, BANKS, bankDetailsInput } from "../bank-details.input.ts";
import { readBankDetails } from "../read-bank-details.server.ts";
import { saveBankDetails } from "../save-bank-details.server.ts";
import {
  DOCUMENT_LABELS,
  type IdentityDocument,
  identityDocumentInput,
} from "../transfers/identity-document.input.ts";
import { areTransfersOn } from "../transfers/paystack.server.ts";
import type { Route } from "./+types/bank-details.page.ts";

const RETURNED_FIELDS = [
  "holder",
  "bank",
  "branchCode",
  "accountNumber",
  "accountType",
  "documentType",
] as const;
const ACCOUNT_TYPE_LABELS = {
  cheque: "Current (cheque)",
  savings: "Savings",
  transmission: "Transmission",
};

const uncheckedBankDetailsInput = v.pipe(
  bankDetailsInput,
  v.transform((details) => ({ details, document: null as IdentityDocument | null })),
);

/** With the document that the bank compares with the account. */
const checkedBankDetailsInput = v.pipe(
  v.intersect([bankDetailsInput, identityDocumentInput]),
  v.transform(({ documentType, documentNumber, ...details }) => ({
    details,
    document: { documentType, documentNumber } as IdentityDocument | null,
  })),
);

const refusals = {
  "wrong-password": { errors: { password: "Password is incorrect" } },
  "too-many-attempts": [tooManyAttemptsMessage(), 429],
  "too-many-checks": ["The bank was asked too often today. Please try again tomorrow.", 429],
  "other-holder": [
    "The bank says that this account does not belong to this holder and document. Nothing was saved. Check the holder's name, the account and the document number.",
    422,
  ],
  "refuses-payments": [
    "The bank says that this account is closed or accepts no payments. Nothing was saved. Please enter another account.",
    422,
  ],
  busy: [SERVER_BUSY_MESSAGE, 503],
  "not-a-creator": ["Only tipsters and analysts can use this page.", 403],
} as const;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Bank details",
    description: "The account we pay your earnings into.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  const creator = await requireCreator(context);
  return { bank: await readBankDetails(creator.id), isChecking: areTransfersOn() };
}

export async function action({ context, request }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  return await handleForm(await request.formData(), {
    input: areTransfersOn() ? checkedBankDetailsInput : uncheckedBankDetailsInput,
    run: ({ details, document }) => saveBankDetails(creator.id, details, document),
    done: ({ isNew, isChecked }) => ({ ok: true as const, isNew, isChecked }),
    refusals,
    keep: RETURNED_FIELDS,
  });
}

/** The bank details form. Shows only the last digits; a change needs all fields. */
export default function BankDetails({ loaderData, actionData: result }: Route.ComponentProps) {
  const { bank, isChecking } = loaderData;
  useEffect(() => {
    if (result?.ok)
      showToast({
        type: "success",
        title: describeSaved(result),
      });
  }, [result]);
  return (
    <div className="max-w-xl">
      <SectionHeading
        lead={`We encrypt your bank details and use them only to pay you. After a change we email you and don't pay out for ${BANK_DETAILS_WAIT_HOURS} hours.`}
      >
        Bank details
      </SectionHeading>
      {bank ? (
        <FormMessage type={result?.ok ? "success" : "info"} className="mt-4">
          We pay you into the account ending in <strong>{bank.accountLast4}</strong>
          {bank.blockedUntil
            ? `, from ${formatInstant(new Date(bank.blockedUntil))} on.`
            : `, entered on ${formatInstant(new Date(bank.changedAt))}.`}
          {bank.checkedAt ? " The bank has confirmed this account." : null}
        </FormMessage>
      ) : null}
      {bank && isChecking && !bank.checkedAt ? (
        <FormMessage type="warning" className="mt-4" title="Account not confirmed">
          The bank has not confirmed this account yet, and we transfer only to confirmed accounts.
          Please enter the same details again with your document number.
        </FormMessage>
      ) : null}
      {result?.ok ? (
        <ButtonLink to="/tipster-dashboard/earnings" className="mt-4">
          Back to your earnings
        </ButtonLink>
      ) : (
        <BankDetailsForm refused={result} hasBankDetails={bank !== null} isChecking={isChecking} />
      )}
    </div>
  );
}

function describeSaved({ isNew, isChecked }: { isNew: boolean; isChecked: boolean }): string {
  if (isNew) return "Bank details saved";
  return isChecked ? "Your bank details are confirmed" : "Your bank details haven't changed";
}

function BankDetailsForm({
  refused,
  hasBankDetails,
  isChecking,
}: {
  refused: RefusedForm | undefined;
  hasBankDetails: boolean;
  isChecking: boolean;
}) {
  const form = useFocusFirstError(refused);
  const branchInput = useRef<HTMLInputElement>(null);
  const isPending = useNavigation().formAction === "/tipster-dashboard/bank-details";
  const { message, errors = {}, values = {} }: Partial<RefusedForm> = refused ?? {};
  const field = (name: string) => ({
    name,
    required: true,
    defaultValue: values[name],
    error: errors[name],
  });
  const fillBranchCode = (bank: string) => {
    const listedBank = BANKS.find(
      (candidate) => candidate.name.toLowerCase() === bank.trim().toLowerCase(),
    );
    if (listedBank && branchInput.current?.value === "")
      branchInput.current.value = listedBank.branchCode;
  };
  return (
    <Form ref={form} method="post" noValidate autoComplete="off" className="mt-4 grid gap-4">
      {message ? <FormMessage type="error">{message}</FormMessage> : null}
      <TextField {...field("holder")} label="Account holder" autoComplete="off" maxLength={120} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field("bank")}
          label="Bank"
          list="banks"
          autoComplete="off"
          maxLength={80}
          onChange={(event) => fillBranchCode(event.target.value)}
        />
        <datalist id="banks">
          {BANKS.map((bank) => (
            <option key={bank.name} value={bank.name} />
          ))}
        </datalist>
        <TextField
          {...field("branchCode")}
          ref={branchInput}
          label="Branch code"
          inputMode="numeric"
          autoComplete="off"
          figures
        />
        <TextField
          {...field("accountNumber")}
          label="Account number"
          inputMode="numeric"
          autoComplete="off"
          figures
        />
        <SelectField
          {...field("accountType")}
          label="Account type"
          placeholder="Select a type"
          options={ACCOUNT_TYPES.map((type) => ({ value: type, label: ACCOUNT_TYPE_LABELS[type] }))}
        />
      </div>
      {isChecking ? (
        <fieldset className="grid gap-4 sm:grid-cols-2">
          <legend className="mb-2 text-sm text-ink-2">
            The bank compares the account with this document. We don't keep the number.
          </legend>
          <SelectField
            {...field("documentType")}
            label="Document of the account holder"
            placeholder="Select a document"
            options={Object.entries(DOCUMENT_LABELS).map(([value, label]) => ({ value, label }))}
          />
          <TextField
            name="documentNumber"
            required
            error={errors.documentNumber}
            label="Document number"
            autoComplete="off"
            maxLength={20}
            figures
          />
        </fieldset>
      ) : null}
      <PasswordField
        name="password"
        required
        error={errors.password}
        label="Your password"
        hint="We ask again to protect your payouts"
        autoComplete="current-password"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={isPending} pendingLabel="Saving">
          {hasBankDetails ? "Change bank details" : "Save bank details"}
        </Button>
        <ButtonLink to="/tipster-dashboard/earnings" variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}
