import { useFetcher } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { formSuccess, handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { type AdminFormResult, CodeField } from "#admin-kit/admin-kit.ui.tsx";
import {
  DATE_FORMATS,
  DELIMITERS,
  PAYMENT_FIELDS,
  PAYMENT_FORMATS,
} from "#domain/payment-file/settings.ts";
import { Button } from "#ui/button.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import {
  readPaymentFileSettings,
  savePaymentFileSettings,
} from "../payment-file-settings.server.ts";
import type { Route } from "./+types/payment-file-settings.page.ts";
import { paymentFileInput, toFormValues, toSettings } from "./payment-file.input.ts";
import { FORMAT_LABELS } from "./payment-file-messages.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

const PATH = "/admin/payouts/file-settings";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Payment file settings, Admin",
    description: "The format of the bank's file.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { settings, savedAt } = await readPaymentFileSettings();
  return { values: toFormValues(settings), savedAt: savedAt?.toISOString() ?? "" };
}

export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await handleAdminForm(admin, {
    request,
    context,
    input: paymentFileInput,
    invalid: ({ "": message, ...errors }) => ({ message, errors }),
    needsCode: true,
    run: async (fields) => {
      const { settings } = await readPaymentFileSettings();
      return await savePaymentFileSettings(
        admin.id,
        toSettings(fields, settings),
        fields.shownSavedAt,
      );
    },
    done: () => formSuccess("Payment file settings saved."),
    refusals: {
      changed:
        "Another admin has saved other settings meanwhile. Yours were not saved. Reload the page to see theirs.",
    },
    failed: "Failed to save the settings",
  });
}

/** The bank's format, the account to debit, and the columns of the generic CSV. */
export default function PaymentFileSettings({ loaderData, actionData }: Route.ComponentProps) {
  const fetcher = useFetcher<AdminFormResult>();
  const result = fetcher.data ?? actionData;
  const form = useFocusFirstError(result);
  useResponse(fetcher.data, ({ ok, message }) => {
    if (ok) showToast({ type: "success", title: message ?? "Saved" });
  });
  const { errors = {} } = result ?? {};
  const values: Record<string, string> = result?.values ?? loaderData.values;
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name] });
  return (
    <div className="grid max-w-3xl gap-5">
      <div>
        <TextLink to="/admin/payouts/exports" standalone className="text-sm">
          Payment files
        </TextLink>
        <SectionHeading className="mt-2">Payment file settings</SectionHeading>
      </div>
      <fetcher.Form ref={form} method="post" action={PATH} noValidate className="grid gap-5">
        {result?.message && (!result.ok || !fetcher.data) ? (
          <FormMessage type={result.ok ? "success" : "error"}>{result.message}</FormMessage>
        ) : null}
        <input type="hidden" name="shownSavedAt" value={loaderData.savedAt} />
        <Panel title="Bank">
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              {...field("format")}
              label="Format"
              className="sm:col-span-2"
              hint="Import one small payment first: only your bank can say whether it takes the file."
              options={PAYMENT_FORMATS.map((value) => ({
                value,
                label: FORMAT_LABELS[value] ?? value,
              }))}
            />
            <TextField
              {...field("debitAccount")}
              label="Account to debit"
              inputMode="numeric"
              figures
              required
            />
            <TextField
              {...field("debitBranchCode")}
              label="Its branch code"
              inputMode="numeric"
              figures
              optional
            />
            <TextField
              {...field("shortName")}
              label="Short name"
              maxLength={10}
              hint="Bankserv: what bank statements show as the payer"
            />
            <TextField
              {...field("userCode")}
              label="User code"
              maxLength={4}
              figures
              hint="Bankserv: 4 characters from your bank, else 0000"
            />
          </div>
        </Panel>
        <Panel title="Columns of the generic CSV">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextAreaField
              {...field("columns")}
              label="Columns"
              rows={10}
              className="sm:col-span-2"
              hint={`One a line, as "Heading = field". Fields: ${PAYMENT_FIELDS.join(", ")}.`}
            />
            <SelectField
              {...field("delimiter")}
              label="Between columns"
              options={Object.keys(DELIMITERS).map((value) => ({ value, label: value }))}
            />
            <SelectField
              {...field("dateFormat")}
              label="Dates"
              options={DATE_FORMATS.map((value) => ({ value, label: value }))}
            />
            <SelectField
              {...field("amountIn")}
              label="Amounts"
              options={[
                { value: "rand", label: "Rand: 112.00" },
                { value: "cents", label: "Cents: 11200" },
              ]}
            />
            <div className="grid grid-cols-3 gap-3">
              <TextField {...field("cheque")} label="Cheque" maxLength={12} />
              <TextField {...field("savings")} label="Savings" maxLength={12} />
              <TextField {...field("transmission")} label="Transm." maxLength={12} />
            </div>
            <CheckboxField
              name="hasHeader"
              defaultChecked={values.hasHeader === "on"}
              label="First line with action date, debit account, count and total"
            />
            <CheckboxField
              name="hasHeadings"
              defaultChecked={values.hasHeadings === "on"}
              label="Line of headings"
            />
            <CheckboxField
              name="isForSpreadsheet"
              defaultChecked={values.isForSpreadsheet === "on"}
              label="Keep leading zeros in a spreadsheet"
              hint="For reading only: no bank takes such a file."
            />
          </div>
        </Panel>
        <CodeField error={errors.code} className="max-w-sm" />
        <div>
          <Button type="submit" pending={fetcher.state !== "idle"} pendingLabel="Saving">
            Save settings
          </Button>
        </div>
      </fetcher.Form>
    </div>
  );
}
