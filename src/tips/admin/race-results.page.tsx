import { readUsers } from "#accounts/accounts.server.ts";
import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { addDays, dateAt, formatDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import {
  listRacesWithoutResult,
  listUnconfirmedResults,
  type RaceReference,
} from "#racing/racing.server.ts";
import { formatSaved, parseRaceNumbers } from "#racing/racing.ui.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { listUnconfirmedTipResults } from "../unconfirmed-tip-results.server.ts";
import type { Route } from "./+types/race-results.page.ts";

/** Lists the races of this many days. Results of older races are entered from their race day. */
const LISTED_DAYS = 7;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Race results, Admin",
    description: "Enter and confirm the results of races.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const at = now();
  const { readNumber, readText } = readListParams(request);
  const [unconfirmed, ofTips, races] = await Promise.all([
    listUnconfirmedResults(100, admin.id),
    listUnconfirmedTipResults(admin.id),
    listRacesWithoutResult(addDays(dateAt(at), -LISTED_DAYS), at),
  ]);
  const users = await readUsers(
    [...unconfirmed, ...ofTips].flatMap(({ enteredBy }) => enteredBy ?? []),
  );
  const describeEntry = (entry: { enteredBy: string | null; enteredAt: Date }) => ({
    enteredAt: entry.enteredAt,
    enteredByName: entry.enteredBy ? (users.get(entry.enteredBy)?.name ?? "") : null,
    isOwn: entry.enteredBy === admin.id,
  });
  return {
    saved: parseRaceNumbers(readText("saved")),
    confirmed: readNumber("confirmed"),
    // The results are not sent, because the confirming admin must enter them without seeing them.
    unconfirmed: [
      ...unconfirmed.map((result) => ({
        id: result.id,
        name: `race ${result.raceNumber}, ${result.venueName}`,
        kind: `${result.version > 1 ? "Correction" : "Result"}${result.status === "unofficial" ? ", unofficial" : ""}`,
        path: toPath(result),
        meetingPath: toMeetingPath(result),
        confirmPath: result.mayConfirm ? `${toPath(result)}/confirm` : null,
        isUnofficial: result.status === "unofficial",
        raceDate: result.raceDate,
        ...describeEntry(result),
      })),
      ...ofTips.map((result) => {
        const path = `/admin/race-cards/${result.raceCardId}`;
        const { raceNumber } = result;
        return {
          id: result.id,
          name:
            raceNumber === null
              ? `race card, ${result.venueName}`
              : `race ${raceNumber}, ${result.venueName}`,
          kind: raceNumber === null ? "Void race card" : "Result of one tip",
          path: raceNumber === null ? path : `${path}#race-${raceNumber}`,
          meetingPath: null,
          confirmPath: result.mayConfirm ? path : null,
          isUnofficial: false,
          raceDate: result.raceDate,
          ...describeEntry(result),
        };
      }),
    ],
    meetings: groupByMeeting(races),
  };
}

function groupByMeeting<Race extends RaceReference>(races: readonly Race[]) {
  const meetings = new Map<string, Race[]>();
  for (const race of races) {
    const key = `${race.venueId} ${race.raceDate}`;
    meetings.set(key, [...(meetings.get(key) ?? []), race]);
  }
  return [...meetings.values()];
}

const toMeetingPath = ({ venueId, raceDate }: Omit<RaceReference, "raceNumber">) =>
  `/admin/results/${venueId}/${raceDate}`;
const toPath = (race: RaceReference) => `${toMeetingPath(race)}/${race.raceNumber}`;

/** Returns the label of a link to a race, with the date so that races of two dates have different labels. */
const describeRace = ({ raceNumber, venueName, raceDate }: RaceReference & { venueName: string }) =>
  `race ${raceNumber}, ${venueName}, ${formatDate(raceDate)}`;

const capitalise = (text: string) => text.replace(/^r/, "R");

type UnconfirmedRow = Route.ComponentProps["loaderData"]["unconfirmed"][number];

/** Admin list of unconfirmed results and of races without a result. */
export default function RaceResults({ loaderData }: Route.ComponentProps) {
  const { saved, confirmed, unconfirmed, meetings } = loaderData;
  return (
    <div className="grid gap-6">
      {saved.length > 0 ? <FormMessage type="success">{formatSaved(saved)}</FormMessage> : null}
      {confirmed ? (
        <FormMessage type="success">Result of race {confirmed} confirmed.</FormMessage>
      ) : null}
      <section className="grid gap-4">
        <SectionHeading lead="A result becomes official when another admin enters it again.">
          Results to confirm
        </SectionHeading>
        <Table
          caption="Results to confirm"
          rows={unconfirmed}
          rowKey={({ id }) => id}
          empty={
            <EmptyState compact drawing="post" title="No results to confirm">
              Entered results wait here until another admin confirms them.
            </EmptyState>
          }
          columns={[
            {
              key: "race",
              header: "Race",
              isRowHeader: true,
              cell: ({ path, name, raceDate }) => (
                <TextLink
                  to={path}
                  standalone
                  aria-label={capitalise(`${name}, ${formatDate(raceDate)}`)}
                >
                  {capitalise(name)}
                </TextLink>
              ),
            },
            {
              key: "date",
              header: "Race date",
              cell: ({ raceDate, meetingPath, name }) =>
                meetingPath ? (
                  <TextLink to={meetingPath} standalone>
                    <span className="sr-only">Whole meeting of {name}, </span>
                    <RaceDate date={raceDate} />
                  </TextLink>
                ) : (
                  <RaceDate date={raceDate} />
                ),
            },
            {
              key: "kind",
              header: "Type",
              cell: ({ kind }) => kind,
            },
            {
              key: "entered",
              header: "Entered",
              cell: ({ enteredByName, enteredAt }) => (
                <span className="grid justify-items-end @3xl:justify-items-start">
                  {enteredByName ?? "Imported"}
                  <DateTime at={enteredAt} className="text-xs text-ink-2" />
                </span>
              ),
            },
            {
              key: "actions",
              header: "Actions",
              align: "right",
              isLabelHidden: true,
              cell: (result) => <UnconfirmedLink result={result} />,
            },
          ]}
        />
      </section>
      <section className="grid gap-4">
        <SectionHeading lead="Races of the last seven days that were off, as reported on their race days.">
          Races without a result
        </SectionHeading>
        {meetings.length === 0 ? (
          <EmptyState compact drawing="raceCard" title="No races without a result">
            Races are listed after their off.
          </EmptyState>
        ) : null}
        {meetings.map((races) => (
          <Meeting key={`${races[0]?.venueId} ${races[0]?.raceDate}`} races={races} />
        ))}
      </section>
    </div>
  );
}

function UnconfirmedLink({ result }: { result: UnconfirmedRow }) {
  const { isOwn, isUnofficial, confirmPath, name, raceDate } = result;
  const note = isOwn
    ? "You entered it"
    : isUnofficial
      ? "Not official yet"
      : confirmPath
        ? null
        : "You have tips in it";
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-3">
      {note ? <span className="text-sm text-ink-2">{note}</span> : null}
      {confirmPath ? (
        <TextLink
          to={confirmPath}
          standalone
          aria-label={`Confirm ${name}, ${formatDate(raceDate)}`}
        >
          Confirm
        </TextLink>
      ) : null}
    </span>
  );
}

function Meeting({ races }: { races: Route.ComponentProps["loaderData"]["meetings"][number] }) {
  const [first] = races;
  if (!first) return null;
  return (
    <Panel
      level={3}
      title={
        <>
          {first.venueName}, <RaceDate date={first.raceDate} />
        </>
      }
    >
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        <li>
          <TextLink
            to={toMeetingPath(first)}
            standalone
            aria-label={`Whole meeting at ${first.venueName}, ${formatDate(first.raceDate)}`}
          >
            Whole meeting
          </TextLink>
        </li>
        {races.map((race) => (
          <li key={race.raceNumber}>
            <TextLink to={toPath(race)} standalone aria-label={`Enter ${describeRace(race)}`}>
              Race {race.raceNumber}
            </TextLink>
          </li>
        ))}
        <li>
          <TextLink
            to={`${toMeetingPath(first)}/abandoned`}
            standalone
            className="text-sm"
            aria-label={`Abandoned meeting at ${first.venueName}, ${formatDate(first.raceDate)}`}
          >
            Abandoned
          </TextLink>
        </li>
      </ul>
    </Panel>
  );
}
