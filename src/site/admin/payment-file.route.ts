import { redirect } from "react-router";
import { dateAt } from "#domain/calendar.ts";
import { csvLine } from "#domain/csv.ts";
import { checkPassword } from "#identity/identity.server.ts";
import { textOf } from "#identity/identity.ui.tsx";
import { now } from "#platform/clock.server.ts";
import { makePaymentFile, type PaymentLine } from "#race-cards/race-cards.server.ts";
import { readCreatorHeads } from "#tipping/tipping.server.ts";
import type { Route } from "./+types/payment-file.route.ts";
import { requireAdmin } from "./require-admin.server.ts";

const HEADINGS = [
  "Recipient name",
  "Bank",
  "Branch code",
  "Account number",
  "Account type",
  "Amount",
  "Recipient reference",
  "Own reference",
];

/** Only a form that gives the password makes the file; its address alone leads to the payouts. */
export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  throw redirect("/admin/payouts");
}

/** What the bank is to transfer for the chosen payouts, as a file, with the total at its end. */
export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  const form = await request.formData();
  const check = await checkPassword(admin.id, textOf(form, "password"));
  if (check !== "right") return backWith(check);
  const answer = await makePaymentFile(admin.id, form.getAll("payout").map(String));
  if (!answer.ok)
    return backWith(
      answer.refusal,
      "creatorIds" in answer ? await namesOf(answer.creatorIds) : undefined,
    );
  return new Response(fileOf(answer.lines, answer.totalCents), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="furlong-payments-${dateAt(now())}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

function fileOf(lines: PaymentLine[], totalCents: number): string {
  const rows = lines.map(({ details, amountCents, reference, payoutId }) =>
    csvLine([
      details.holder,
      details.bank,
      details.branchCode,
      details.accountNumber,
      details.accountType,
      rand(amountCents),
      reference,
      payoutId,
    ]),
  );
  const count = `${lines.length} ${lines.length === 1 ? "payment" : "payments"}`;
  const total = csvLine(["Total", count, "", "", "", rand(totalCents), "", ""]);
  return [csvLine(HEADINGS), ...rows, total].join("");
}

function rand(cents: number): string {
  return (cents / 100).toFixed(2);
}

async function namesOf(creatorIds: string[]): Promise<string> {
  const heads = await readCreatorHeads(creatorIds);
  return creatorIds.map((id) => heads.get(id)?.name ?? "").join(", ");
}

function backWith(problem: string, of?: string): Response {
  const search = new URLSearchParams({ problem, ...(of ? { of } : {}) });
  return redirect(`/admin/payouts?${search}`, 303);
}
