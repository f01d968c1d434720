import { type FormEvent, useState } from "react";
import { useFetcher, useRevalidator, useSearchParams } from "react-router";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { type AdminActionResult, CodeField, ListPagination } from "#admin-kit/admin-kit.ui.tsx";
import { findBankDay } from "#domain/bank-day.ts";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { findNextPayDay } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { StatRow } from "#ui/stat.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { ListedTransfer, PayoutStatus } from "../list-payouts.server.ts";
import { listPayouts, readOpenPayoutTotals } from "../list-payouts.server.ts";
import { areTransfersOn } from "../transfers/paystack.server.ts";
import { listContradictedTransfers } from "../transfers/resolve-transfer.server.ts";
import type { Route } from "./+types/payouts.page.ts";
import { ContradictedTransfers } from "./contradicted-transfers.ui.tsx";
import { addCreatorNames } from "./creator-names.server.ts";
import { parsePayoutsQuery } from "./parse-payouts-query.server.ts";
import { paymentFileProblemMessage } from "./payment-file-messages.ts";
import { PayoutsFilters } from "./payouts-filters.ui.tsx";
import { PayoutsTabs } from "./payouts-tabs.ui.tsx";

/** When the list is refreshed after a download started. A slow server needs longer to create the file. */
const REFRESHES_AFTER_EXPORT_MS = [2_000, 10_000];

/** Payouts per page; each creator has at most one open payout. */
const PAGE_SIZE = 100;

export { revalidateAfterConflict as shouldRevalidate } from "#ui/forms/revalidate-after-conflict.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Payouts, Admin", description: "Payouts in progress.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { id: viewerId } = await requireAdmin(context);
  const query = await parsePayoutsQuery(request);
  const { payouts, next } = await listPayouts({ ...query, isPaid: false, limit: PAGE_SIZE });
  const search = new URL(request.url).searchParams;
  const repeatedIds = search.getAll("again").slice(0, PAGE_SIZE);
  const repeatedPayouts =
    repeatedIds.length === 0
      ? []
      : (await listPayouts({ payoutIds: repeatedIds, isPaid: false, limit: PAGE_SIZE })).payouts;
  const today = dateAt(now());
  return {
    payouts: await addCreatorNames(payouts),
    totals: await readOpenPayoutTotals(),
    viewerId,
    next,
    payDay: findNextPayDay(today),
    nextBankDay: findBankDay(today),
    repeatedPayouts: await addCreatorNames(repeatedPayouts),
    areTransfersOn: areTransfersOn(),
    contradicted: await addCreatorNames(await listContradictedTransfers()),
  };
}

type PayoutRow = Route.ComponentProps["loaderData"]["payouts"][number];

/** Lists open payouts with the actions to process, export and mark them as paid. */
export default function Payouts({ loaderData }: Route.ComponentProps) {
  const { payouts, next, payDay, nextBankDay, repeatedPayouts, viewerId, areTransfersOn } =
    loaderData;
  const { contradicted, totals } = loaderData;
  const [searchParams] = useSearchParams();
  const problem = searchParams.get("problem");
  return (
    <div className="grid gap-5">
      <PayoutsTabs current="open" />
      <StatRow
        stats={[
          {
            label: "Requested",
            value: <RandAmount amountCents={totals.requested.cents} areCentsShown size="large" />,
            note: `${totals.requested.count} to process`,
          },
          {
            label: "Processing",
            value: <RandAmount amountCents={totals.processing.cents} areCentsShown size="large" />,
            note: `${totals.processing.count} to pay`,
          },
          { label: "Next run", value: formatDate(payDay, "short"), note: "R100 or more" },
        ]}
      />
      {problem ? (
        <FormMessage type="error" title="Payment file not created">
          {paymentFileProblemMessage(problem)}{" "}
          {searchParams.get("of") ? `Affected: ${searchParams.get("of")}.` : null}
        </FormMessage>
      ) : null}
      {repeatedPayouts.length > 0 ? (
        <RepeatedExportForm
          payouts={repeatedPayouts}
          actionDate={searchParams.get("on") ?? nextBankDay}
        />
      ) : null}
      {contradicted.length > 0 ? <ContradictedTransfers transfers={contradicted} /> : null}
      <PayoutsFilters />
      {payouts.length === 0 ? (
        <EmptyState drawing="ledger" title="No payouts found">
          No payouts in progress. The next run is on {formatDate(payDay, "long")}.
        </EmptyState>
      ) : (
        <PayoutsForm
          payouts={payouts}
          nextBankDay={nextBankDay}
          viewerId={viewerId}
          areTransfersOn={areTransfersOn}
        />
      )}
      <ListPagination label="Payouts" nextCursor={next} />
    </div>
  );
}

function sumAmounts(payouts: readonly { amountCents: number }[]): number {
  return payouts.reduce((total, payout) => total + payout.amountCents, 0);
}

/** Asks for confirmation before payouts are exported again, because the bank could pay them twice. */
function RepeatedExportForm({ payouts, actionDate }: { payouts: PayoutRow[]; actionDate: string }) {
  const exportedPayouts = payouts.filter((payout) => payout.exportId);
  return (
    <form
      method="post"
      action="/admin/payouts/payment-file"
      className="grid max-w-2xl gap-4 rounded-md border border-rule bg-well p-4"
    >
      <FormMessage type="warning" title="Already in a payment file">
        <ul className="grid gap-1">
          {exportedPayouts.map((payout) => (
            <li key={payout.id}>
              {payout.creatorName},{" "}
              <RandAmount amountCents={payout.amountCents} areCentsShown size="small" />
              {payout.exportedAt ? (
                <>
                  , exported <DateTime at={payout.exportedAt} />
                </>
              ) : null}
            </li>
          ))}
        </ul>
        A bank that gets both files pays twice. Make sure that it has not taken the first file. The
        new one names the same account, amount and reference.
      </FormMessage>
      {payouts.map((payout) => (
        <input key={payout.id} type="hidden" name="payout" value={payout.id} />
      ))}
      {exportedPayouts.map((payout) => (
        <input key={payout.id} type="hidden" name="acknowledged" value={payout.exportId ?? ""} />
      ))}
      <input type="hidden" name="actionDate" value={actionDate} />
      <CodeField className="max-w-sm" />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="danger">
          Export again
        </Button>
        <ButtonLink to="/admin/payouts" variant="secondary">
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}

type PayoutsFormProps = {
  payouts: PayoutRow[];
  nextBankDay: string;
  viewerId: string;
  areTransfersOn: boolean;
};

function PayoutsForm({ payouts, nextBankDay, viewerId, areTransfersOn }: PayoutsFormProps) {
  const fetcher = useFetcher<AdminActionResult>();
  const revalidator = useRevalidator();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const isPending = fetcher.state !== "idle";
  const selectedCents = sumAmounts(payouts.filter((payout) => selectedIds.has(payout.id)));
  const toggleSelection = (id: string, isSelected: boolean) => {
    const next = new Set(selectedIds);
    if (isSelected) next.add(id);
    else next.delete(id);
    setSelectedIds(next);
  };
  const selectAll = (status: PayoutStatus) =>
    setSelectedIds(
      new Set(
        payouts
          .filter((payout) => payout.status === status && isReady(payout, viewerId))
          .map(({ id }) => id),
      ),
    );

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (isPending) event.preventDefault();
    if (isPending) return;
    if (!(submitter instanceof HTMLButtonElement) || !("file" in submitter.dataset)) return;
    // The browser must submit this form itself to download the file.
    event.preventDefault();
    const form = event.currentTarget;
    const { action } = form;
    form.action = submitter.formAction;
    form.submit();
    form.action = action;
    // A download does not reload the page, so the list is refreshed to show the exported payouts.
    for (const delayMs of REFRESHES_AFTER_EXPORT_MS)
      setTimeout(() => void revalidator.revalidate(), delayMs);
  }

  return (
    <fetcher.Form
      method="post"
      action="/admin/payouts/start"
      onSubmit={handleSubmit}
      className="grid gap-5"
    >
      <input type="hidden" name="back" value="/admin/payouts" />
      {fetcher.data && !fetcher.data.ok && !fetcher.data.codeError ? (
        <FormMessage type="error">{fetcher.data.message}</FormMessage>
      ) : null}
      <Table
        caption="Payouts in progress"
        columns={buildColumns({ selectedIds, toggleSelection, viewerId, areTransfersOn })}
        rows={payouts}
        rowKey={(payout) => payout.id}
      />
      <div className="grid max-w-2xl gap-4 rounded-md border border-rule bg-well p-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-sm text-ink-2" role="status">
            {selectedIds.size === 0 ? (
              "Select payouts above."
            ) : (
              <>
                {selectedIds.size} selected,{" "}
                <RandAmount amountCents={selectedCents} areCentsShown size="small" /> in total.
              </>
            )}
          </p>
          <div className="flex flex-wrap gap-2 noscript:hidden">
            <Button variant="quiet" size="small" onClick={() => selectAll("requested")}>
              Select all requested
            </Button>
            <Button variant="quiet" size="small" onClick={() => selectAll("processing")}>
              Select all processing
            </Button>
          </div>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <CodeField error={fetcher.data?.codeError} />
          <TextField
            label="Action date"
            name="actionDate"
            type="date"
            defaultValue={nextBankDay}
            min={nextBankDay}
            hint="When the bank is to pay: no weekend or public holiday"
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" formAction="/admin/payouts/start" pending={isPending}>
            Start processing
          </Button>
          {areTransfersOn ? (
            <Button
              type="submit"
              variant="secondary"
              formAction="/admin/payouts/transfer"
              pending={isPending}
            >
              Send transfers
            </Button>
          ) : null}
          {areTransfersOn || payouts.some(({ transfer }) => transfer) ? (
            <Button
              type="submit"
              variant="secondary"
              formAction="/admin/payouts/ask-provider"
              pending={isPending}
            >
              Ask Paystack now
            </Button>
          ) : null}
          <Button
            type="submit"
            variant="secondary"
            formAction="/admin/payouts/payment-file"
            data-file
          >
            Download payment file
          </Button>
          <Button type="submit" variant="secondary" formAction="/admin/payouts/paid">
            Mark as paid
          </Button>
        </div>
        {areTransfersOn ? (
          <p className="text-xs text-ink-3">
            1. Start processing the payouts. 2. Send transfers: Paystack pays confirmed accounts
            from its balance, and a payout is paid when Paystack says so. For an account that is not
            confirmed, download a payment file and mark the payout as paid.
          </p>
        ) : (
          <p className="text-xs text-ink-3">
            1. Start processing the payouts. 2. Download the payment file: one line per transfer,
            and the total. It locks their amounts and accounts. 3. When the bank has made the
            transfers, mark them as paid.
          </p>
        )}
        <details className="text-sm">
          <summary className="tap cursor-pointer py-1">The bank did not pay?</summary>
          <div className="mt-2 grid gap-3">
            <p className="text-xs text-ink-2">
              Withdraw a payout only when the bank has rejected or deleted its payment. It can then
              be exported again, to the account on record by then. A transfer can be withdrawn only
              before it was sent, when Paystack does not know it, or when Paystack paid another
              amount and the tipster has paid it back.
            </p>
            <TextField label="Reason" name="reason" maxLength={300} className="max-w-sm" />
            <div>
              <Button
                type="submit"
                variant="secondary"
                size="small"
                formAction="/admin/payouts/withdraw"
              >
                Withdraw payout
              </Button>
            </div>
          </div>
        </details>
      </div>
    </fetcher.Form>
  );
}

/** Payouts that no action refuses: others' payouts, to an account that was not changed in the last 72 hours. */
function isReady(payout: PayoutRow, viewerId: string): boolean {
  return payout.creatorId !== viewerId && payout.accountLast4 !== null && !payout.blockedUntil;
}

/** Describes a transfer that is in progress. */
function describeTransfer({ providerStatus, sentAt }: ListedTransfer): string {
  if (providerStatus === "otp") return "Transfer waits for a one-time code at Paystack";
  if (providerStatus) return "Transfer accepted by Paystack, not paid yet";
  return sentAt ? "Transfer sent, no answer yet" : "Transfer released, not sent yet";
}

function PayoutStatusBadges({
  payout,
  isOwn,
  areTransfersOn,
}: {
  payout: PayoutRow;
  isOwn: boolean;
  areTransfersOn: boolean;
}) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1 sm:justify-start">
      {payout.transfer ? (
        <Badge tone={payout.transfer.providerStatus === "otp" ? "warn" : "info"}>
          {describeTransfer(payout.transfer)}
        </Badge>
      ) : payout.exportedAt ? (
        <Badge tone="info">
          In a file, <DateTime at={payout.exportedAt} style="short" />
        </Badge>
      ) : (
        STATUS_BADGES[payout.status]
      )}
      {areTransfersOn && !payout.exportId && payout.accountLast4 && !payout.isAccountChecked ? (
        <Badge tone="warn">Account not confirmed: no transfer</Badge>
      ) : null}
      {isOwn ? <Badge>Yours: for another admin</Badge> : null}
      {payout.blockedUntil ? (
        <Badge tone="warn">
          Bank details changed, blocked until <DateTime at={payout.blockedUntil} />
        </Badge>
      ) : null}
      {payout.removedCents > 0 ? (
        <Badge tone="warn">
          <RandAmount amountCents={payout.removedCents} areCentsShown size="small" /> taken out
        </Badge>
      ) : null}
      {payout.disputedCents > 0 ? (
        <Badge tone="danger">
          <RandAmount amountCents={payout.disputedCents} areCentsShown size="small" /> disputed
          {payout.transfer ? " while it is transferred" : ": stop it at the bank"}
        </Badge>
      ) : null}
    </span>
  );
}

const STATUS_BADGES: Record<PayoutStatus, React.ReactNode> = {
  requested: <Badge tone="warn">Requested</Badge>,
  processing: <Badge tone="info">Processing</Badge>,
  paid: <Badge tone="green">Paid</Badge>,
  stopped: <Badge tone="danger">Stopped</Badge>,
};

function buildColumns({
  selectedIds,
  toggleSelection,
  viewerId,
  areTransfersOn,
}: {
  selectedIds: ReadonlySet<string>;
  toggleSelection: (id: string, isSelected: boolean) => void;
  viewerId: string;
  areTransfersOn: boolean;
}): readonly TableColumn<PayoutRow>[] {
  return [
    {
      key: "creator",
      header: "Tipster",
      isRowHeader: true,
      cell: (payout) => (
        <span className="inline-flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            name="payout"
            value={payout.id}
            aria-label={`Select the payout for ${payout.creatorName}`}
            checked={selectedIds.has(payout.id)}
            onChange={(event) => toggleSelection(payout.id, event.target.checked)}
            className="tap size-[1.375rem] shrink-0 rounded-sm"
          />
          {payout.exportId ? (
            // What the admin decides about: the payout can be in another file when the form arrives.
            <input type="hidden" name={`export-${payout.id}`} value={payout.exportId} />
          ) : null}
          <TextLink to={`/admin/users/${payout.creatorId}`}>{payout.creatorName}</TextLink>
        </span>
      ),
    },
    {
      key: "amount",
      header: "Amount",
      align: "right",
      cell: (payout) => <RandAmount amountCents={payout.amountCents} areCentsShown />,
    },
    {
      key: "account",
      header: "Account",
      cell: (payout) =>
        payout.accountLast4 ? (
          <span className="font-cond">…{payout.accountLast4}</span>
        ) : (
          <span className="text-danger-ink">No bank details</span>
        ),
    },
    {
      key: "requested",
      header: "Requested",
      cell: (payout) => <DateTime at={payout.requestedAt} />,
    },
    {
      key: "processing",
      header: "Processing since",
      cell: (payout) => (payout.processingAt ? <DateTime at={payout.processingAt} /> : "–"),
    },
    {
      key: "status",
      header: "Status",
      cell: (payout) => (
        <PayoutStatusBadges
          payout={payout}
          isOwn={payout.creatorId === viewerId}
          areTransfersOn={areTransfersOn}
        />
      ),
    },
  ];
}
