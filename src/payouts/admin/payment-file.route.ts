import { redirect } from "react-router";
import { confirmCode } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { readCreatorSummaries } from "#creators/creators.server.ts";
import { findBankDay, isBankDay } from "#domain/bank-day.ts";
import { addDays, dateAt, isCalendarDate } from "#domain/calendar.ts";
import { formatPaymentFile } from "#domain/payment-file/payment-file.ts";
import { now } from "#platform/clock.server.ts";
import { readField } from "#platform/parse-form.ts";
import { exportPayouts } from "../export-payouts.server.ts";
import { readPaymentFileSettings } from "../payment-file-settings.server.ts";
import type { Route } from "./+types/payment-file.route.ts";

/** Maximum number of days that a payment can be dated ahead. */
const MAX_ACTION_DAYS_AHEAD = 31;

/** Only the form creates a file; opening the URL redirects to the payouts. */
export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  throw redirect("/admin/payouts");
}

/**
 * Exports the selected payouts and returns the file for the bank, in the configured format. Redirects to the
 * payouts page for a confirmation when one of them was exported before.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  const form = await request.formData();
  const confirmation = await confirmCode(admin, context, readField(form, "code"));
  if (confirmation !== "confirmed") return redirectWithProblem(confirmation);
  const today = dateAt(now());
  const actionDate = readField(form, "actionDate") || findBankDay(today);
  if (
    !isCalendarDate(actionDate) ||
    actionDate < today ||
    actionDate > addDays(today, MAX_ACTION_DAYS_AHEAD)
  )
    return redirectWithProblem("action-date");
  if (!isBankDay(actionDate)) return redirectWithProblem("no-bank-day");
  const { settings } = await readPaymentFileSettings();
  if (!settings.debitAccount) return redirectWithProblem("no-debit-account");
  const payoutIds = form.getAll("payout").map(String);
  const result = await exportPayouts(admin.id, {
    payoutIds,
    format: settings.format,
    actionDate,
    acknowledgedExportIds: form.getAll("acknowledged").map(String),
  });
  if (!result.ok) {
    if (result.refusal === "already-exported") return redirectToConfirmation(payoutIds, actionDate);
    return redirectWithProblem(
      result.refusal,
      "creatorIds" in result ? await readCreatorNames(result.creatorIds) : undefined,
    );
  }
  const { lines, createdAt, number } = result.export;
  const { text, extension } = formatPaymentFile(
    {
      payments: lines.map(({ details, amountCents, reference }) => ({
        ...details,
        amountCents,
        reference,
      })),
      actionDate,
      createdOn: dateAt(createdAt),
      number,
    },
    settings,
  );
  const name = `furlong-payments-${actionDate}-${lines.length}.${extension}`;
  return new Response(text, {
    headers: {
      "Content-Type": `${extension === "csv" ? "text/csv" : "text/plain"}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
    },
  });
}

async function readCreatorNames(creatorIds: string[]): Promise<string> {
  const creators = await readCreatorSummaries(creatorIds);
  return creatorIds.map((id) => creators.get(id)?.name ?? "").join(", ");
}

function redirectWithProblem(problem: string, of?: string): Response {
  const search = new URLSearchParams({ problem, ...(of ? { of } : {}) });
  return redirect(`/admin/payouts?${search}`, 303);
}

function redirectToConfirmation(payoutIds: string[], actionDate: string): Response {
  const search = new URLSearchParams({ on: actionDate });
  for (const payoutId of payoutIds) search.append("again", payoutId);
  return redirect(`/admin/payouts?${search}`, 303);
}
