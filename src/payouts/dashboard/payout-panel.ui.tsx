import type { FormEvent } from "react";
import { useFetcher } from "react-router";
import { dateAt, formatDate, formatInstant } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { findMinPayoutCents, MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { Panel } from "#ui/panel.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { EarningsSummary } from "../earnings.server.ts";
import type { Payout } from "../list-payouts.server.ts";
import type { BankDetailsSummary } from "../read-bank-details.server.ts";

/** Result of a payout request. */
export type PayoutRequestResult = { ok: boolean; title: string; message?: string };

type PayoutPanelProps = {
  summary: EarningsSummary;
  bank: BankDetailsSummary | null;
  payouts: Payout[];
  isSuspended: boolean;
};

/** Shows the payable amount and account, and the button to request a payout. */
export function PayoutPanel({ summary, bank, payouts, isSuspended }: PayoutPanelProps) {
  const openPayout = payouts.find(
    ({ status }) => status === "requested" || status === "processing",
  );
  const lastPaidPayout = payouts.find((payout) => payout.status === "paid");
  return (
    <Panel
      title="Payout"
      aside={
        <>
          Next pay day{" "}
          <strong className="font-semibold text-ink">{formatDate(summary.nextPayDay)}</strong>
        </>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <p className="text-xs text-ink-2">Payable now</p>
          <RandAmount amountCents={summary.payableCents} areCentsShown size="huge" />
          <p className="mt-1 text-sm text-ink-2">
            {isSuspended ? SUSPENDED_DUE_TIME : describeDueTime(summary)}
          </p>
        </div>
        {openPayout ? null : (
          <RequestPayout
            payableCents={summary.payableCents}
            bank={bank}
            isSuspended={isSuspended}
          />
        )}
      </div>
      {openPayout ? <OpenPayout payout={openPayout} /> : null}
      <div className="mt-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-t border-rule pt-3 text-sm">
        <p>{bank ? `Paid to the account ending in ${bank.accountLast4}` : "No bank details yet"}</p>
        <TextLink to="/tipster-dashboard/bank-details" standalone>
          {bank ? "Change bank details" : "Add bank details"}
        </TextLink>
      </div>
      {lastPaidPayout?.paidAt ? (
        <p className="mt-1 flex flex-wrap justify-between gap-x-6 text-sm">
          <span>
            Last paid on <RaceDate date={dateAt(lastPaidPayout.paidAt)} style="plain" />
          </span>
          <RandAmount amountCents={lastPaidPayout.amountCents} areCentsShown />
        </p>
      ) : null}
      {bank?.blockedUntil ? (
        <p className="mt-1 text-xs text-warn-ink">
          Your bank details have changed. Payouts resume on{" "}
          {formatInstant(new Date(bank.blockedUntil))}.
        </p>
      ) : null}
    </Panel>
  );
}

const SUSPENDED_DUE_TIME =
  "No minimum while your account is suspended. We pay when all of it is payable, or when you request it.";

function describeDueTime(summary: EarningsSummary): string {
  if (summary.dueCents > 0)
    return `${formatCents(summary.dueCents)} due on ${formatDate(summary.nextPayDay, "short")} at present.`;
  return `Minimum payout ${formatCents(MIN_PAYOUT_CENTS)}. Smaller amounts carry forward.`;
}

function OpenPayout({ payout }: { payout: Payout }) {
  return (
    <FormMessage
      type="info"
      title={`${formatCents(payout.amountCents)} is in progress`}
      className="mt-4"
    >
      {payout.status === "processing" ? "We're making the transfer. " : "Requested "}
      {payout.status === "processing" ? "Requested " : null}
      <DateTime at={payout.requestedAt} />. We'll email you when it is paid. You can then request
      the next payout.
      {payout.removedCents > 0
        ? ` ${formatCents(payout.removedCents)} was taken out: sales are being reviewed, or their results or payments have changed.`
        : null}
    </FormMessage>
  );
}

function RequestPayout({
  payableCents,
  bank,
  isSuspended,
}: {
  payableCents: number;
  bank: BankDetailsSummary | null;
  isSuspended: boolean;
}) {
  const fetcher = useFetcher<PayoutRequestResult>();
  const { confirm } = useNotification();
  const result = fetcher.data;

  const handleSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // Asks for confirmation only when the payout is possible; the server explains any refusal.
    const canRequest =
      bank && !bank.blockedUntil && payableCents >= findMinPayoutCents(isSuspended);
    const isConfirmed =
      !canRequest ||
      (await confirm({
        title: `Request ${formatCents(payableCents)}?`,
        message: `We will pay it into the account ending in ${bank.accountLast4}.`,
        confirmText: "Request payout",
      }));
    if (isConfirmed) void fetcher.submit(form);
  };

  return (
    <fetcher.Form
      method="post"
      action="/tipster-dashboard/payout"
      onSubmit={handleSubmit}
      className="grid justify-items-start gap-3"
    >
      <Button type="submit" pending={fetcher.state !== "idle"} pendingLabel="Requesting">
        Request payout
      </Button>
      {result && !result.ok ? (
        <FormMessage type="warning" title={result.title} className="max-w-sm">
          {result.message}
        </FormMessage>
      ) : null}
    </fetcher.Form>
  );
}

const STATUSES = {
  requested: { tone: "info", label: "Requested" },
  processing: { tone: "info", label: "Processing" },
  paid: { tone: "solid", label: "Paid" },
  stopped: { tone: "warn", label: "Stopped" },
} as const;

/** The latest payouts. */
export function PayoutHistory({ payouts }: { payouts: Payout[] }) {
  if (payouts.length === 0) return null;
  return (
    <section aria-labelledby="payouts">
      <SectionHeading id="payouts">Payouts</SectionHeading>
      <ul className="mt-1">
        {payouts.map((payout) => (
          <li
            key={payout.id}
            className="flex items-baseline justify-between gap-4 border-b border-rule py-2 text-sm"
          >
            <span>
              <DateTime at={payout.paidAt ?? payout.requestedAt} />
              <Badge tone={STATUSES[payout.status].tone} className="ml-2">
                {STATUSES[payout.status].label}
              </Badge>
            </span>
            <RandAmount amountCents={payout.amountCents} areCentsShown />
          </li>
        ))}
      </ul>
    </section>
  );
}
