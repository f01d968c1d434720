import { type FormEvent, useState } from "react";
import { useFetcher, useSearchParams } from "react-router";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { nextPayDay } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { listPayouts, type PayoutStatus } from "#race-cards/race-cards.server.ts";
import { readCreatorHeads } from "#tipping/tipping.server.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { PasswordField } from "#ui/password-field.tsx";
import { Moment } from "#ui/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { StatRow } from "#ui/stat.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/payouts.page.ts";
import type { ActAnswer } from "./act-answer.ts";
import { useActToast } from "./act-form.ui.tsx";
import { askedPayouts } from "./asked-payouts.server.ts";
import { ListPages } from "./list-bar.ui.tsx";
import { keptOffline } from "./no-answer.ts";
import { paymentFileProblem } from "./payment-file-words.ts";
import { PayoutsBar } from "./payouts-bar.ui.tsx";
import { PayoutsTabs } from "./payouts-tabs.ui.tsx";
import { requireAdmin } from "./require-admin.server.ts";

/** One sitting's work: what is under way is at most one payout for each creator. */
const PER_PAGE = 100;

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Payouts, Admin", description: "Payouts to make.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const asked = await askedPayouts(request);
  const { payouts, next } = await listPayouts({ ...asked, isPaid: false, limit: PER_PAGE });
  const heads = await readCreatorHeads(payouts.map((payout) => payout.creatorId));
  return {
    payouts: payouts.map((payout) => ({
      ...payout,
      creatorName: heads.get(payout.creatorId)?.name ?? "",
    })),
    next,
    payDay: nextPayDay(dateAt(now())),
  };
}

type Row = Route.ComponentProps["loaderData"]["payouts"][number];

/** The payouts under way: taken up, put into a file for the bank, and said to be paid. */
export default function Payouts({ loaderData }: Route.ComponentProps) {
  const { payouts, next, payDay } = loaderData;
  const [given] = useSearchParams();
  const problem = given.get("problem");
  const requested = payouts.filter((payout) => payout.status === "requested");
  const processing = payouts.filter((payout) => payout.status === "processing");
  return (
    <div className="grid gap-5">
      <h2 className="sr-only">Payouts</h2>
      <PayoutsTabs current="open" />
      <StatRow
        stats={[
          {
            label: "Requested",
            value: <RandAmount amountCents={sumOf(requested)} cents size="large" />,
            note: `${requested.length} to take up`,
          },
          {
            label: "Processing",
            value: <RandAmount amountCents={sumOf(processing)} cents size="large" />,
            note: `${processing.length} to pay`,
          },
          { label: "Next run", value: formatDate(payDay, "short"), note: "At R100 and more" },
        ]}
      />
      {problem ? (
        <FormMessage type="error" title="No payment file was made">
          {paymentFileProblem(problem)}{" "}
          {given.get("of") ? `It is about: ${given.get("of")}.` : null}
        </FormMessage>
      ) : null}
      <PayoutsBar />
      {payouts.length === 0 ? (
        <EmptyState drawing="ledger" title="No payouts found">
          Nobody waits for money. The next run is on {formatDate(payDay, "long")}.
        </EmptyState>
      ) : (
        <PayoutsForm payouts={payouts} />
      )}
      <ListPages label="Payouts" next={next} />
    </div>
  );
}

function sumOf(payouts: readonly { amountCents: number }[]): number {
  return payouts.reduce((sum, payout) => sum + payout.amountCents, 0);
}

function PayoutsForm({ payouts }: { payouts: Row[] }) {
  const fetcher = useFetcher<ActAnswer>();
  useActToast(fetcher.data);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isPending = fetcher.state !== "idle";
  const sum = sumOf(payouts.filter((payout) => chosen.has(payout.id)));
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };

  function send(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (isPending) event.preventDefault();
    if (isPending || keptOffline(event)) return;
    if (!(submitter instanceof HTMLButtonElement) || !("file" in submitter.dataset)) return;
    // A file is taken by the browser itself, not by the page.
    event.preventDefault();
    const form = event.currentTarget;
    const { action } = form;
    form.action = submitter.formAction;
    form.submit();
    form.action = action;
  }

  return (
    <fetcher.Form
      method="post"
      action="/admin/payouts/start"
      onSubmit={send}
      className="grid gap-5"
    >
      <input type="hidden" name="back" value="/admin/payouts" />
      {fetcher.data && !fetcher.data.ok ? (
        <FormMessage type="error">{fetcher.data.message}</FormMessage>
      ) : null}
      <Table
        caption="Payouts under way"
        columns={columnsOf(chosen, choose)}
        rows={payouts}
        rowKey={(payout) => payout.id}
      />
      <div className="grid max-w-2xl gap-4 rounded-md border border-rule bg-well p-4">
        <p className="text-sm text-ink-2">
          {chosen.size === 0 ? (
            "Choose payouts above, and give your password once more."
          ) : (
            <>
              {chosen.size} chosen, <RandAmount amountCents={sum} cents size="small" /> in all.
            </>
          )}
        </p>
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          className="max-w-sm"
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" formAction="/admin/payouts/start" pending={isPending}>
            Start processing
          </Button>
          <Button
            type="submit"
            variant="secondary"
            formAction="/admin/payouts/payment-file"
            data-file
          >
            Payment file
          </Button>
          <Button type="submit" variant="secondary" formAction="/admin/payouts/paid">
            Mark as paid
          </Button>
        </div>
        <p className="text-xs text-ink-3">
          Take payouts up first. The payment file is for those being processed: one line for each
          transfer and the total. Mark them as paid when the bank has made the transfers.
        </p>
      </div>
    </fetcher.Form>
  );
}

const looks: Record<PayoutStatus, React.ReactNode> = {
  requested: <Badge tone="warn">Requested</Badge>,
  processing: <Badge tone="info">Processing</Badge>,
  paid: <Badge tone="green">Paid</Badge>,
};

function columnsOf(
  chosen: ReadonlySet<string>,
  choose: (id: string, isChosen: boolean) => void,
): readonly TableColumn<Row>[] {
  return [
    {
      key: "creator",
      header: "Tipster",
      lead: true,
      cell: (payout) => (
        <span className="inline-flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            name="payout"
            value={payout.id}
            aria-label={`Choose the payout of ${payout.creatorName}`}
            checked={chosen.has(payout.id)}
            onChange={(event) => choose(payout.id, event.target.checked)}
            className="tap size-[1.375rem] shrink-0 rounded-sm"
          />
          <TextLink to={`/admin/users/${payout.creatorId}`}>{payout.creatorName}</TextLink>
        </span>
      ),
    },
    {
      key: "amount",
      header: "Amount",
      align: "right",
      cell: (payout) => <RandAmount amountCents={payout.amountCents} cents />,
    },
    {
      key: "account",
      header: "Account",
      cell: (payout) =>
        payout.accountEnding ? (
          <span className="font-cond">…{payout.accountEnding}</span>
        ) : (
          <span className="text-danger-ink">No bank details</span>
        ),
    },
    { key: "requested", header: "Requested", cell: (payout) => <Moment at={payout.requestedAt} /> },
    {
      key: "processing",
      header: "Taken up",
      cell: (payout) => (payout.processingAt ? <Moment at={payout.processingAt} /> : "–"),
    },
    { key: "status", header: "Status", cell: (payout) => looks[payout.status] },
  ];
}
