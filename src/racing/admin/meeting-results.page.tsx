import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { readUsers } from "#accounts/accounts.server.ts";
import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { toNoResponseMessage } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { readFormValues } from "#platform/parse-form.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { countMovedTips } from "../results/race-result-steps.server.ts";
import { readMeetingForResults } from "../results/read-race-for-result.server.ts";
import { findAuthorRefusal } from "../results/result-authors.server.ts";
import type { Route } from "./+types/meeting-results.page.ts";
import {
  confirmMeetingResultsForm,
  type MeetingFormResult,
} from "./confirm-meeting-results-form.server.ts";
import { enterMeetingResultsForm } from "./enter-meeting-results-form.server.ts";
import { parseRaceNumbers } from "./meeting-form.ts";
import { MeetingResultsForm } from "./meeting-results-form.ui.tsx";
import { readMeetingParams } from "./read-race-params.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Results of a meeting, Admin",
    description: "Enter and confirm the results of a meeting.",
    isPrivate: true,
  });

/** Shows the races that were saved although another one was refused. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  args.actionStatus !== undefined || args.defaultShouldRevalidate;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const meeting = readMeetingParams(params);
  const found = await readMeetingForResults(meeting);
  if (!found) throw data(null, { status: 404 });
  const users = await readUsers(
    found.races.flatMap(({ unconfirmed, official }) =>
      [unconfirmed?.enteredBy, official?.enteredBy, official?.confirmedBy].flatMap(
        (id) => id ?? [],
      ),
    ),
  );
  const nameOf = (id: string | null) => (id ? (users.get(id)?.name ?? "") : null);
  const at = now();
  const { readText } = readListParams(request);
  return {
    adminId: admin.id,
    venue: { id: found.venue.id, name: found.venue.name },
    raceDate: meeting.raceDate,
    saved: parseRaceNumbers(readText("saved")),
    confirmed: parseRaceNumbers(readText("confirmed")),
    lastSource: found.lastSource,
    races: await Promise.all(
      found.races.map(async ({ race, unconfirmed, official, authors }) => {
        const isOwn = unconfirmed?.enteredBy === admin.id;
        const hasTips = !authors.ids.includes(admin.id);
        const mayConfirm =
          unconfirmed !== null &&
          unconfirmed.status !== "unofficial" &&
          findAuthorRefusal(authors, admin.id, unconfirmed) === null;
        return {
          race,
          hasTips,
          state: unconfirmed
            ? isOwn
              ? ("own" as const)
              : ("other" as const)
            : official
              ? ("official" as const)
              : race.offAt > at
                ? ("to-come" as const)
                : ("due" as const),
          // Another admin's entry is not sent, because the confirming admin must enter it without seeing it.
          result: unconfirmed ? (isOwn ? unconfirmed : null) : official,
          isUnofficial: unconfirmed?.status === "unofficial",
          isCorrection: unconfirmed !== null && official !== null,
          enteredAt: (unconfirmed ?? official)?.enteredAt ?? null,
          enteredByName: nameOf((unconfirmed ?? official)?.enteredBy ?? null),
          confirmedByName: nameOf(unconfirmed ? null : (official?.confirmedBy ?? null)),
          toConfirm: mayConfirm
            ? {
                id: unconfirmed.id,
                source: unconfirmed.source,
                sourceUrl: unconfirmed.sourceUrl,
                isImported: unconfirmed.enteredBy === null,
                isOnePerson: authors.isOnePerson,
                // A surface that was reported wrongly would void tips unnoticed.
                movedTips: await countMovedTips({
                  ...meeting,
                  raceDayId: unconfirmed.raceDayId,
                  raceNumber: race.raceNumber,
                }),
              }
            : null,
        };
      }),
    ),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  const form = await request.formData();
  const meeting = readMeetingParams(params);
  return form.has("compare") || form.has("confirm")
    ? await confirmMeetingResultsForm(admin.id, form, meeting)
    : await enterMeetingResultsForm(admin.id, form, meeting);
}

/** Keeps what was typed and shows a message when the server does not respond. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    const message = toNoResponseMessage(error);
    if (message === null) throw error;
    return data<MeetingFormResult>(
      { ok: false, message, values: readFormValues(form) },
      { status: 503 },
    );
  }
}

/** Admin page of a whole meeting: enters and confirms the results of its races, each of which is a few lines. */
export default function MeetingResultsPage(props: Route.ComponentProps) {
  const { venue, raceDate } = props.loaderData;
  const path = `/admin/results/${venue.id}/${raceDate}`;
  return <MeetingResults key={path} path={path} {...props} />;
}

function MeetingResults({
  path,
  loaderData,
  actionData,
}: { path: string } & Pick<Route.ComponentProps, "loaderData" | "actionData">) {
  const { venue, raceDate, races } = loaderData;
  const official = races.filter(({ state }) => state === "official").length;
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/results" standalone className="text-sm">
          Race results
        </TextLink>
        <SectionHeading
          className="mt-2"
          aside={`${official} of ${races.length} official`}
          lead="Enter moves to the next field and never saves. To confirm a result, enter it again from its source. Finishing order: horse numbers with spaces between them, with = for a dead heat: 4 9=7 2. Prices and names stay with their horse. Dividends are for R1."
        >
          Results: {venue.name}, {formatDate(raceDate, "long")}
        </SectionHeading>
      </div>
      <nav aria-label="Meeting" className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm">
        <TextLink to={`/admin/venues/${venue.id}/race-days/${raceDate}`} standalone>
          Race day
        </TextLink>
        <TextLink to={`${path}/abandoned`} standalone>
          Abandoned meeting
        </TextLink>
      </nav>
      {races.length === 0 ? (
        <EmptyState
          compact
          drawing="raceCard"
          title="No races reported"
          action={
            <ButtonLink to={`/admin/venues/${venue.id}/race-days/${raceDate}`}>
              Enter race day
            </ButtonLink>
          }
        >
          Results are entered for the races of the race day.
        </EmptyState>
      ) : (
        <MeetingResultsForm
          // A new form after everything typed was saved or confirmed: the last answer is about the old one.
          key={`${loaderData.saved} ${loaderData.confirmed}`}
          path={path}
          loaderData={loaderData}
          actionData={actionData}
        />
      )}
    </div>
  );
}
