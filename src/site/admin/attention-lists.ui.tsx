import {
  AdminActionButton,
  AdminActionForm,
  RELEASE_EARNING_CONFIRMATION,
  REVERSE_EARNING_CONFIRMATION,
} from "#admin-kit/admin-kit.ui.tsx";
import { ALERT_LABELS } from "#platform/alert-kinds.ts";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { Table } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { EmailStatus, ResendButton } from "./email-status.ui.tsx";
import type { Attention } from "./today.page.tsx";

export function AlertsTable({ alerts }: Pick<Attention, "alerts">) {
  return (
    <Table
      caption="Alerts"
      rows={alerts}
      rowKey={(alert) => alert.id}
      columns={[
        {
          key: "kind",
          header: "Alert",
          isRowHeader: true,
          cell: (alert) => ALERT_LABELS[alert.kind],
        },
        {
          key: "message",
          header: "What",
          cell: (alert) => (
            <span className="grid max-w-prose gap-1 wrap-anywhere">
              <span>{alert.message}</span>
              {alert.about ? (
                <TextLink to={alert.about.path} standalone>
                  {alert.about.text}
                </TextLink>
              ) : null}
            </span>
          ),
        },
        { key: "at", header: "Raised", cell: (alert) => <DateTime at={alert.raisedAt} /> },
        {
          key: "actions",
          header: "Actions",
          align: "right",
          isLabelHidden: true,
          cell: (alert) =>
            alert.isStillOpen ? (
              <span className="text-sm text-ink-2">Resolved when it ends</span>
            ) : (
              <AdminActionButton
                action={`/admin/attention/alerts/${alert.id}/resolve`}
                label={`Mark as resolved: ${ALERT_LABELS[alert.kind]}`}
              >
                Mark as resolved
              </AdminActionButton>
            ),
        },
      ]}
    />
  );
}

export function MeetingsTable({ meetings }: Pick<Attention, "meetings">) {
  return (
    <Table
      caption="Meetings to confirm"
      rows={meetings}
      rowKey={(meeting) => `${meeting.venueId} ${meeting.raceDate}`}
      columns={[
        {
          key: "meeting",
          header: "Meeting",
          isRowHeader: true,
          isUserText: true,
          cell: (meeting) => (
            <TextLink
              to={`/admin/venues/${meeting.venueId}/race-days/${meeting.raceDate}`}
              standalone
            >
              {meeting.venueName}, <RaceDate date={meeting.raceDate} />
            </TextLink>
          ),
        },
        {
          key: "races",
          header: "Races",
          cell: (meeting) =>
            `${meeting.raceNumbers.join(", ")}: ${meeting.isReported ? "not on the race day as reported" : "no race day reported"}`,
        },
        {
          key: "cards",
          header: "Race cards",
          align: "right",
          cell: (meeting) => meeting.raceCards,
        },
      ]}
    />
  );
}

export function UnconfirmedResultsTable({ results }: Pick<Attention, "results">) {
  return (
    <Table
      caption="Results to confirm"
      rows={results}
      rowKey={(result) => result.id}
      columns={[
        {
          key: "race",
          header: "Race",
          isRowHeader: true,
          isUserText: true,
          cell: ({ path, of, venueName, raceNumber }) => (
            <TextLink to={path} standalone>
              {of === "race card" ? "Void race card" : `Race ${raceNumber}`}, {venueName}
              {of === "tip" ? ", one tip" : ""}
            </TextLink>
          ),
        },
        {
          key: "date",
          header: "Race date",
          narrowLine: 2,
          isLabelHidden: true,
          cell: ({ raceDate }) => <RaceDate date={raceDate} />,
        },
        {
          key: "entered",
          header: "Entered",
          narrowLine: 2,
          cell: ({ enteredAt, isOwn }) => (
            <span>
              <DateTime at={enteredAt} />
              {isOwn ? " by you" : ""}
            </span>
          ),
        },
      ]}
    />
  );
}

const REVIEW_REASON_TEXTS: Record<string, string> = {
  "guest-deal-repeat": "Guest deal, second sale to this buyer within 30 days",
  "guest-deal-share": "More than half of this tipster's sales are guest deals",
  "late-hold": "Withdrawn from a payment file after its dispute",
};

export function HeldEarningsTable({ held: earnings }: Pick<Attention, "held">) {
  return (
    <Table
      caption="Earnings held for review"
      rows={earnings}
      rowKey={(earning) => String(earning.saleId)}
      columns={[
        {
          key: "card",
          header: "Card",
          isRowHeader: true,
          isUserText: true,
          cell: (earning) => (
            <TextLink to={`/admin/race-cards/${earning.raceCardId}`} standalone>
              {earning.raceCardName}
            </TextLink>
          ),
        },
        {
          key: "buyer",
          header: "Buyer",
          isUserText: true,
          cell: (earning) => (
            <TextLink to={`/admin/users/${earning.buyerId}`} standalone>
              {earning.buyerName}
            </TextLink>
          ),
        },
        {
          key: "creator",
          header: "Tipster",
          isUserText: true,
          cell: (earning) => (
            <TextLink to={`/admin/users/${earning.creatorId}`} standalone>
              {earning.creatorName}
            </TextLink>
          ),
        },
        { key: "at", header: "Sold", cell: (earning) => <DateTime at={earning.soldAt} /> },
        {
          key: "reason",
          header: "Held because",
          cell: (earning) => REVIEW_REASON_TEXTS[earning.heldReason] ?? earning.heldReason,
        },
        {
          key: "amount",
          header: "Earning",
          align: "right",
          cell: (earning) => <RandAmount amountCents={earning.amountCents} areCentsShown />,
        },
        {
          key: "actions",
          header: "Actions",
          align: "right",
          isLabelHidden: true,
          cell: (earning) => <ReviewActions saleId={earning.saleId} />,
        },
      ]}
    />
  );
}

function ReviewActions({ saleId }: { saleId: number }) {
  return (
    <span className="flex flex-wrap items-end justify-end gap-2">
      <AdminActionButton
        action={`/admin/attention/sales/${saleId}/release`}
        confirmation={RELEASE_EARNING_CONFIRMATION}
      >
        Release earning
      </AdminActionButton>
      <AdminActionForm
        action={`/admin/attention/sales/${saleId}/take-back`}
        confirmation={REVERSE_EARNING_CONFIRMATION}
        className="flex items-end gap-2"
      >
        {(isPending) => (
          <>
            <TextField
              label="Reason for reversing the earning"
              labelHidden
              name="reason"
              placeholder="Reason"
              required
              maxLength={300}
              className="w-36"
            />
            <Button type="submit" variant="quiet" size="small" pending={isPending}>
              Reverse earning
            </Button>
          </>
        )}
      </AdminActionForm>
    </span>
  );
}

export function ApplicationsTable({ applications }: Pick<Attention, "applications">) {
  return (
    <Table
      caption="Applications waiting"
      rows={applications}
      rowKey={(application) => application.id}
      columns={[
        {
          key: "name",
          header: "Display name",
          isRowHeader: true,
          isUserText: true,
          cell: (application) => (
            <TextLink to={`/admin/tipsters/applications/${application.id}`} standalone>
              {application.displayName}
            </TextLink>
          ),
        },
        {
          key: "person",
          header: "Full name",
          isUserText: true,
          cell: (application) => application.fullName,
        },
        {
          key: "at",
          header: "Applied",
          cell: (application) => <DateTime at={application.createdAt} />,
        },
      ]}
    />
  );
}

export function OverdueRaceCardsTable({ overdue }: Pick<Attention, "overdue">) {
  return (
    <Table
      caption="Results overdue"
      rows={overdue}
      rowKey={(raceCard) => raceCard.raceCardId}
      columns={[
        {
          key: "card",
          header: "Race card",
          isRowHeader: true,
          isUserText: true,
          cell: ({ raceCardId, venueName, raceNumbers }) => (
            <TextLink to={`/admin/race-cards/${raceCardId}#race-${raceNumbers[0]}`} standalone>
              {raceNumbers.length === 1 ? "Race" : "Races"} {raceNumbers.join(", ")}, {venueName}
            </TextLink>
          ),
        },
        {
          key: "date",
          header: "Race date",
          narrowLine: 2,
          isLabelHidden: true,
          cell: ({ raceDate }) => <RaceDate date={raceDate} />,
        },
        {
          key: "creator",
          header: "Tipster",
          isUserText: true,
          narrowLine: 2,
          isLabelHidden: true,
          cell: ({ creatorId, creatorName }) => (
            <TextLink to={`/admin/users/${creatorId}`} standalone>
              {creatorName}
            </TextLink>
          ),
        },
        {
          key: "results",
          header: "No result",
          narrowLine: 1,
          align: "right",
          cell: ({ raceNumbers }) => raceNumbers.length,
        },
      ]}
    />
  );
}

export function ScratchingsTable({ scratchings }: Pick<Attention, "scratchings">) {
  return (
    <Table
      caption="Scratched selections"
      rows={scratchings}
      rowKey={(scratching) => scratching.tipId}
      columns={[
        {
          key: "race",
          header: "Race",
          isRowHeader: true,
          isUserText: true,
          cell: ({ raceCardId, raceNumber, venueName }) => (
            <TextLink to={`/admin/race-cards/${raceCardId}#race-${raceNumber}`} standalone>
              Race {raceNumber}, {venueName}
            </TextLink>
          ),
        },
        {
          key: "date",
          header: "Race date",
          narrowLine: 2,
          isLabelHidden: true,
          cell: ({ raceDate }) => <RaceDate date={raceDate} />,
        },
        {
          key: "horse",
          header: "Scratched",
          isUserText: true,
          narrowLine: 2,
          isLabelHidden: true,
          cell: ({ horseNumber, horseName, creatorName }) => (
            <span className="grid">
              <span>
                <span className="font-cond font-semibold">#{horseNumber}</span> {horseName}
              </span>
              <span className="text-xs text-ink-2">{creatorName}</span>
            </span>
          ),
        },
        {
          key: "buyers",
          header: "Buyers",
          narrowLine: 1,
          align: "right",
          cell: ({ buyers }) => buyers,
        },
      ]}
    />
  );
}

export function OpenPayoutsTable({ payouts }: Pick<Attention, "payouts">) {
  return (
    <Table
      caption="Payouts to make"
      rows={payouts}
      rowKey={(payout) => payout.id}
      columns={[
        {
          key: "creator",
          header: "Tipster",
          isRowHeader: true,
          isUserText: true,
          cell: ({ creatorId, creatorName }) => (
            <TextLink to={`/admin/users/${creatorId}`} standalone>
              {creatorName}
            </TextLink>
          ),
        },
        {
          key: "amount",
          header: "Amount",
          narrowLine: 1,
          align: "right",
          cell: ({ amountCents }) => <RandAmount amountCents={amountCents} areCentsShown />,
        },
        {
          key: "at",
          header: "Requested",
          narrowLine: 2,
          cell: ({ requestedAt }) => <DateTime at={requestedAt} />,
        },
        {
          key: "next",
          header: "Next",
          narrowLine: 2,
          align: "right",
          isLabelHidden: true,
          cell: ({ status, creatorName }) => (
            <TextLink
              to="/admin/payouts"
              standalone
              aria-label={`${status === "requested" ? "Process" : "Pay"} ${creatorName}`}
            >
              {status === "requested" ? "Process" : "Pay"}
            </TextLink>
          ),
        },
      ]}
    />
  );
}

export function JobsTable({ jobs }: Pick<Attention, "jobs">) {
  return (
    <Table
      caption="Failed jobs"
      rows={jobs}
      rowKey={(job) => job.name}
      columns={[
        {
          key: "name",
          header: "Job",
          isRowHeader: true,
          cell: (job) => (job.jobs > 1 ? `${job.name} (${job.jobs})` : job.name),
        },
        {
          key: "error",
          header: "Last error",
          cell: (job) => <span className="max-w-prose wrap-anywhere">{job.lastError}</span>,
        },
        { key: "at", header: "Last failed", cell: (job) => <DateTime at={job.lastFailedAt} /> },
        {
          key: "actions",
          header: "Actions",
          align: "right",
          isLabelHidden: true,
          cell: (job) => (
            <span className="flex flex-wrap justify-end gap-2">
              <AdminActionButton
                action={`/admin/attention/jobs/${job.name}/retry`}
                label={`Try again: ${job.name}`}
              >
                Try again
              </AdminActionButton>
              <AdminActionButton
                action={`/admin/attention/jobs/${job.name}/dismiss`}
                variant="quiet"
                label={`Dismiss ${job.name}`}
              >
                Dismiss
              </AdminActionButton>
            </span>
          ),
        },
      ]}
    />
  );
}

export function EmailsTable({ emails }: Pick<Attention, "emails">) {
  return (
    <Table
      caption="Failed emails"
      rows={emails}
      rowKey={(email) => email.id}
      columns={[
        {
          key: "subject",
          header: "Subject",
          isRowHeader: true,
          isUserText: true,
          cell: (email) => email.subject,
        },
        {
          key: "to",
          header: "To",
          cell: (email) => <span className="break-all">{email.recipient}</span>,
        },
        { key: "at", header: "Requested", cell: (email) => <DateTime at={email.createdAt} /> },
        { key: "state", header: "State", cell: (email) => <EmailStatus email={email} /> },
        {
          key: "actions",
          header: "Actions",
          align: "right",
          isLabelHidden: true,
          cell: (email) => <ResendButton email={email} />,
        },
      ]}
    />
  );
}
