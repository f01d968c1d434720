import { formatCents } from "#domain/format-cents.ts";
import { MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** The amounts removed from an open payout, and what happened to them. */
export type PayoutChange = {
  removedCents: number;
  /** The part of it that is held, after reductions and reversals for void races. */
  heldCents: number;
  /** True if it was removed because it has changed, not to be held. */
  isChanged: boolean;
} & (
  | { isStopped: false /** Amount still to be paid. */; remainingCents: number }
  | {
      isStopped: true;
      isFinal: boolean;
      /** What is payable again. */
      payableCents: number;
    }
);

/** Renders the email about an open payout that was reduced, or stopped because less than R100, or nothing, is left. */
export async function renderPayoutChangedEmail(change: PayoutChange & { name: string }) {
  const { removedCents, heldCents, isChanged, isStopped } = change;
  const subject = isStopped ? "Your payout was stopped" : "Your payout has changed";
  // What is left of an earning after void races is known once the coins have been returned.
  const reducedCents = isChanged ? 0 : removedCents - heldCents;
  const rows: [string, string][] = isChanged ? [] : [["Held", formatCents(heldCents)]];
  if (isChanged || reducedCents !== 0)
    rows.unshift(["Taken out of the payout", formatCents(removedCents)]);
  if (reducedCents > 0) rows.splice(1, 0, ["Reduced for void races", formatCents(reducedCents)]);
  if (reducedCents < 0)
    rows.splice(1, 0, ["Restored after corrections", formatCents(-reducedCents)]);
  rows.push(["Left in the payout", isStopped ? "Nothing" : formatCents(change.remainingCents)]);
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>{describeReason(change)}</MailText>
        <MailDetails rows={rows} />
        <MailText>{describeRest(change)}</MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/earnings`}>See my earnings</MailButton>
      </MailLayout>,
    )),
  };
}

function describeReason({ name, heldCents, isChanged }: PayoutChange & { name: string }): string {
  if (isChanged)
    return `Hello ${name}, results of your race cards or payments for them have changed, so we took the sales concerned out of your payout. What is left of these earnings goes into your next payout.`;
  return heldCents > 0
    ? `Hello ${name}, a buyer's payment is being reviewed, so we have to hold what you earned from that sale until it is decided.`
    : `Hello ${name}, a buyer's payment is being reviewed, so we took that sale out of your payout. Its coins were returned for void races, so there is nothing to hold.`;
}

function describeRest(change: PayoutChange): string {
  if (!change.isStopped) return "The rest of the payout goes on as before.";
  if (change.isFinal) return "Nothing is left in the payout, so it was stopped.";
  const stopped = `The rest of the payout was below ${formatCents(MIN_PAYOUT_CENTS)}, so it was stopped.`;
  return change.payableCents > 0
    ? `${stopped} ${formatCents(change.payableCents)} is payable again and goes into your next payout.`
    : stopped;
}
