import type { ReactNode } from "react";
import { AdminActionButton, AdminReasonForm } from "#admin-kit/admin-kit.ui.tsx";
import { formatCents } from "#domain/format-cents.ts";
import { formatRaceNumbers } from "#domain/format-races.ts";
import { ALERT_LABELS } from "#platform/alert-kinds.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { Table } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { ResendButton } from "./email-status.ui.tsx";
import type { TodayData } from "./today.page.tsx";

/** Maximum number of tasks of a kind whose other tasks are on a page of their own. */
const FEW = 5;

/** Something an admin has to do. */
type Task = {
  key: string;
  kind: string;
  what: ReactNode;
  since: ReactNode;
  action: ReactNode;
};

/** All tasks in one list, most urgent kind first, the oldest of each kind first. Each is done in its row or behind its button. */
export function DoNowList(today: TodayData) {
  return (
    <>
      <Table
        caption="Do now"
        rows={listTasks(today)}
        rowKey={({ key }) => key}
        columns={[
          {
            key: "task",
            header: "Task",
            isRowHeader: true,
            isUserText: true,
            cell: ({ kind, what }) => (
              <span className="grid max-w-prose wrap-anywhere">
                <span className="caps text-ink-2">{kind}</span>
                <span className="font-normal">{what}</span>
              </span>
            ),
          },
          {
            key: "since",
            header: "Since",
            narrowLine: 2,
            cell: ({ since }) => since,
          },
          {
            key: "action",
            header: "Action",
            align: "right",
            narrowLine: 2,
            isLabelHidden: true,
            cell: ({ action }) => action,
          },
        ]}
      />
      <MoreTasks {...today} />
    </>
  );
}

function listTasks(today: TodayData): Task[] {
  return [
    ...today.alerts.map(describeAlert),
    ...today.jobs.map(describeJob),
    ...today.held.map(describeHeldEarning),
    ...today.scratchings.map(describeScratching),
    ...today.results.slice(0, FEW).map(describeResults),
    ...today.overdue.slice(0, FEW).map(describeOverdue),
    ...today.meetings.map(describeMeeting),
    ...today.payouts.slice(0, FEW).map(describePayout),
    ...today.applications.slice(0, FEW).map(describeApplication),
    ...today.emails.map(describeEmail),
  ];
}

/** Links to the complete lists, and to the next tasks of the kinds that are listed here only. */
function MoreTasks(today: TodayData) {
  const { counts, results, overdue, payouts, applications, next, isFirstPage } = today;
  const lists = [
    { shown: results, to: "/admin/results", text: `All results to confirm (${counts.results})` },
    {
      shown: overdue,
      to: "/admin/tips?state=overdue&order=oldest",
      text: "All tips without a result",
    },
    { shown: payouts, to: "/admin/payouts", text: `All payouts (${counts.payouts})` },
    {
      shown: applications,
      to: "/admin/tipsters/applications?status=applied",
      text: `All applications (${counts.applications})`,
    },
  ].filter(({ shown }) => shown.length > FEW);
  const pages = [
    { name: "alerts", cursor: next.alerts, text: `More alerts (${counts.alerts})` },
    { name: "held", cursor: next.held, text: `More held earnings (${counts.reviews})` },
    { name: "emails", cursor: next.emails, text: `More failed emails (${counts.emails})` },
  ].flatMap(({ name, cursor, text }) =>
    cursor === null ? [] : [{ to: `/admin?${name}=${cursor}`, text }],
  );
  const more = [
    ...(isFirstPage ? [] : [{ to: "/admin", text: "Back to the start" }]),
    ...pages,
    ...lists,
  ];
  if (more.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-6 text-sm">
      {more.map(({ to, text }) => (
        <li key={to}>
          <TextLink to={to} standalone>
            {text}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}

function describeAlert(alert: TodayData["alerts"][number]): Task {
  const label = ALERT_LABELS[alert.kind];
  return {
    key: alert.id,
    kind: label,
    what: alert.about ? (
      <>
        <TextLink to={alert.about.path} standalone>
          {alert.about.text}
        </TextLink>
        . {alert.message}
      </>
    ) : (
      alert.message
    ),
    since: <DateTime at={alert.raisedAt} />,
    action: alert.isStillOpen ? (
      <span className="text-sm text-ink-2">Resolved when it ends</span>
    ) : (
      <AdminActionButton
        action={`/admin/attention/alerts/${alert.id}/resolve`}
        fields={{ raised: alert.raisedAt.toISOString() }}
        label={`Mark as resolved: ${label}`}
      >
        Mark as resolved
      </AdminActionButton>
    ),
  };
}

function describeJob({
  name,
  jobs,
  lastError,
  lastFailedAt,
  lastFailure,
}: TodayData["jobs"][number]): Task {
  return {
    key: name,
    kind: "Failed job",
    what: `${jobs > 1 ? `${name} (${jobs})` : name}: ${lastError}`,
    since: <DateTime at={lastFailedAt} />,
    action: (
      <span className="flex flex-wrap justify-end gap-2">
        <AdminActionButton
          action={`/admin/attention/jobs/${name}/retry`}
          label={`Try again: ${name}`}
        >
          Try again
        </AdminActionButton>
        <AdminActionButton
          action={`/admin/attention/jobs/${name}/dismiss`}
          fields={{ lastFailure: String(lastFailure) }}
          variant="quiet"
          label={`Dismiss ${name}`}
        >
          Dismiss
        </AdminActionButton>
      </span>
    ),
  };
}

const REVIEW_REASON_TEXTS: Record<string, string> = {
  "guest-deal-repeat": "Guest deal, second sale to this buyer within 30 days",
  "guest-deal-share": "More than half of this tipster's sales are guest deals",
  "late-hold": "Left a payment file or a transfer after its dispute",
};

function describeHeldEarning(earning: TodayData["held"][number]): Task {
  const { saleId, raceCardId, raceCardName, buyerId, buyerName } = earning;
  return {
    key: String(saleId),
    kind: "Earning held for review",
    what: (
      <>
        {formatCents(earning.amountCents)} for{" "}
        <TextLink to={`/admin/users/${earning.creatorId}`} standalone>
          {earning.creatorName}
        </TextLink>{" "}
        from{" "}
        <TextLink to={`/admin/users/${buyerId}`} standalone>
          {buyerName}
        </TextLink>
        ,{" "}
        <TextLink to={`/admin/race-cards/${raceCardId}`} standalone>
          {raceCardName}
        </TextLink>
        . {REVIEW_REASON_TEXTS[earning.heldReason] ?? earning.heldReason}.
      </>
    ),
    since: <DateTime at={earning.soldAt} />,
    action: <ReviewActions saleId={saleId} />,
  };
}

function ReviewActions({ saleId }: { saleId: number }) {
  return (
    <span className="flex flex-wrap items-end justify-end gap-2">
      <AdminActionButton action={`/admin/attention/sales/${saleId}/release`}>
        Release earning
      </AdminActionButton>
      <AdminReasonForm
        action={`/admin/attention/sales/${saleId}/reverse`}
        label="Reason for reversing the earning"
        submitText="Reverse earning"
      />
    </span>
  );
}

function describeScratching(scratching: TodayData["scratchings"][number]): Task {
  const { tipId, raceCardId, raceNumber, venueName, raceDate, buyers } = scratching;
  return {
    key: tipId,
    kind: "Scratched selection",
    what: (
      <>
        #{scratching.horseNumber} {scratching.horseName} by {scratching.creatorName}, {venueName}{" "}
        race {raceNumber}: {buyers} {buyers === 1 ? "buyer is" : "buyers are"} told by email and get
        the coins back with the result
      </>
    ),
    since: <RaceDate date={raceDate} />,
    action: (
      <TaskLink
        to={`/admin/race-cards/${raceCardId}#race-${raceNumber}`}
        about={`${venueName} race ${raceNumber}`}
      >
        Open
      </TaskLink>
    ),
  };
}

function describeResults(results: TodayData["results"][number]): Task {
  const { key, path, what, raceDate, venueName, isOwn, mayConfirm } = results;
  return {
    key,
    kind: "Results to confirm",
    what: (
      <>
        {venueName}, <RaceDate date={raceDate} />: {what}
        {isOwn ? ", entered by you: another admin confirms" : ""}
      </>
    ),
    since: <DateTime at={results.enteredAt} />,
    action: (
      <TaskLink to={path} about={`${venueName}, ${what}`}>
        {mayConfirm ? "Confirm" : "Open"}
      </TaskLink>
    ),
  };
}

function describeOverdue(raceCard: TodayData["overdue"][number]): Task {
  const { raceCardId, venueName, raceDate, raceNumbers } = raceCard;
  const races = formatRaceNumbers(raceNumbers);
  return {
    key: `${raceCardId} overdue`,
    kind: "Results overdue",
    what: (
      <>
        {venueName} by{" "}
        <TextLink to={`/admin/users/${raceCard.creatorId}`} standalone>
          {raceCard.creatorName}
        </TextLink>
        : {races}
      </>
    ),
    since: <RaceDate date={raceDate} />,
    action: (
      <TaskLink
        to={`/admin/race-cards/${raceCardId}#race-${raceNumbers[0]}`}
        about={`${venueName}, ${races}`}
      >
        {`Enter ${raceNumbers.length}`}
      </TaskLink>
    ),
  };
}

function describeMeeting(meeting: TodayData["meetings"][number]): Task {
  const { venueId, venueName, raceDate, raceNumbers, raceCards } = meeting;
  return {
    key: `${venueId} ${raceDate}`,
    kind: "Meeting to confirm",
    what: (
      <>
        {venueName}, {formatRaceNumbers(raceNumbers)} of {raceCards}{" "}
        {raceCards === 1 ? "race card" : "race cards"}:{" "}
        {meeting.isReported
          ? "not on the race day as reported. Enter the races, or void the race card."
          : "no race day reported. Enter it, or void the race card."}
      </>
    ),
    since: <RaceDate date={raceDate} />,
    action: (
      <TaskLink to={`/admin/venues/${venueId}/race-days/${raceDate}`} about={venueName}>
        Race day
      </TaskLink>
    ),
  };
}

function describePayout(payout: TodayData["payouts"][number]): Task {
  const { id, creatorId, creatorName, amountCents, status, requestedAt } = payout;
  return {
    key: id,
    kind: "Payout to make",
    what: (
      <>
        {formatCents(amountCents)} to{" "}
        <TextLink to={`/admin/users/${creatorId}`} standalone>
          {creatorName}
        </TextLink>
      </>
    ),
    since: <DateTime at={requestedAt} />,
    action: (
      <TaskLink to="/admin/payouts" about={creatorName}>
        {status === "requested" ? "Process" : "Pay"}
      </TaskLink>
    ),
  };
}

function describeApplication(application: TodayData["applications"][number]): Task {
  const { id, displayName, fullName, createdAt } = application;
  return {
    key: id,
    kind: "Application",
    what: `${displayName} (${fullName})`,
    since: <DateTime at={createdAt} />,
    action: (
      <TaskLink to={`/admin/tipsters/applications/${id}`} about={displayName}>
        Read
      </TaskLink>
    ),
  };
}

function describeEmail(email: TodayData["emails"][number]): Task {
  return {
    key: email.id,
    kind: "Failed email",
    what: `${email.subject}, to ${email.recipient}${email.failure ? `: ${email.failure}` : ""}`,
    since: <DateTime at={email.createdAt} />,
    action: (
      <span className="flex flex-wrap justify-end gap-2">
        <ResendButton email={email} />
        <AdminActionButton
          action={`/admin/emails/${email.id}/dismiss`}
          variant="quiet"
          label={`Dismiss ${email.subject}`}
        >
          Dismiss
        </AdminActionButton>
      </span>
    ),
  };
}

/** The button of a task that is done on another page. */
function TaskLink({ to, about, children }: { to: string; about: string; children: string }) {
  return (
    <ButtonLink to={to} variant="secondary" size="small" aria-label={`${children}: ${about}`}>
      {children}
    </ButtonLink>
  );
}
