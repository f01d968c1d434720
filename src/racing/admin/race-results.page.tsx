import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { addDays, dateAt, formatDate } from "#domain/calendar.ts";
import { readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import {
  listRacesWithoutResult,
  listUnconfirmedResults,
} from "../results/list-races-for-results.server.ts";
import type { RaceReference } from "../results/read-results.server.ts";
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
  const [unconfirmed, races] = await Promise.all([
    listUnconfirmedResults(100, admin.id),
    listRacesWithoutResult(addDays(dateAt(at), -LISTED_DAYS), at),
  ]);
  const users = await readUsers(unconfirmed.flatMap(({ enteredBy }) => enteredBy ?? []));
  return {
    saved: readRaceNumbers(readText("saved")),
    confirmed: readNumber("confirmed"),
    unconfirmed: unconfirmed.map(({ enteredBy, status, ...result }) => ({
      ...result,
      // The status is not sent, because the confirming admin must enter it without seeing it.
      isUnofficial: status === "unofficial",
      enteredByName: enteredBy ? (users.get(enteredBy)?.name ?? "") : null,
      isOwn: enteredBy === admin.id,
    })),
    meetings: groupByMeeting(races),
  };
}

/** Parses race numbers such as '5,6,7'. Returns none for any other text. */
function readRaceNumbers(text: string | null): number[] {
  return /^\d{1,2}(,\d{1,2}){0,11}$/.test(text ?? "") ? (text ?? "").split(",").map(Number) : [];
}

function groupByMeeting<Race extends RaceReference>(races: readonly Race[]) {
  const meetings = new Map<string, Race[]>();
  for (const race of races) {
    const key = `${race.venueId} ${race.raceDate}`;
    meetings.set(key, [...(meetings.get(key) ?? []), race]);
  }
  return [...meetings.values()];
}

const toPath = ({ venueId, raceDate, raceNumber }: RaceReference) =>
  `/admin/results/${venueId}/${raceDate}/${raceNumber}`;

/** Returns the label of a link to a race, with the date so that races of two dates have different labels. */
const describeRace = ({ raceNumber, venueName, raceDate }: RaceReference & { venueName: string }) =>
  `race ${raceNumber}, ${venueName}, ${formatDate(raceDate)}`;

type UnconfirmedRow = Route.ComponentProps["loaderData"]["unconfirmed"][number];

/** Admin list of unconfirmed results and of races without a result. */
export default function RaceResults({ loaderData }: Route.ComponentProps) {
  const { saved, confirmed, unconfirmed, meetings } = loaderData;
  return (
    <div className="grid gap-6">
      {saved.length > 0 ? (
        <FormMessage type="success">
          {saved.length === 1
            ? `Result of race ${saved[0]} saved. Another admin must confirm it.`
            : `Results of races ${saved.join(", ")} saved. Another admin must confirm them.`}
        </FormMessage>
      ) : null}
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
              cell: (result) => (
                <TextLink
                  to={toPath(result)}
                  standalone
                  aria-label={describeRace(result).replace(/^r/, "R")}
                >
                  Race {result.raceNumber}, {result.venueName}
                </TextLink>
              ),
            },
            {
              key: "date",
              header: "Race date",
              cell: ({ raceDate }) => <RaceDate date={raceDate} />,
            },
            {
              key: "kind",
              header: "Type",
              cell: ({ version, isUnofficial }) =>
                `${version > 1 ? "Correction" : "Result"}${isUnofficial ? ", unofficial" : ""}`,
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
  const { isOwn, isUnofficial, mayConfirm } = result;
  const note = isOwn
    ? "You entered it"
    : isUnofficial
      ? "Not official yet"
      : mayConfirm
        ? null
        : "You have tips in it";
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-3">
      {note ? <span className="text-sm text-ink-2">{note}</span> : null}
      {mayConfirm ? (
        <TextLink
          to={`${toPath(result)}/confirm`}
          standalone
          aria-label={`Confirm ${describeRace(result)}`}
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
        {races.map((race) => (
          <li key={race.raceNumber}>
            <TextLink to={toPath(race)} standalone aria-label={`Enter ${describeRace(race)}`}>
              Race {race.raceNumber}
            </TextLink>
          </li>
        ))}
        <li>
          <TextLink
            to={`/admin/results/${first.venueId}/${first.raceDate}/abandoned`}
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
