import { useState } from "react";
import { data, useFetcher } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import type { AdminFormResult } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { MAX_SOURCE } from "#domain/race-day.ts";
import { Button } from "#ui/button.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { LinkTabs } from "#ui/link-tabs.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { readRaceDay } from "../race-days.server.ts";
import { readDeclaredRaces } from "../read-declared-races.server.ts";
import { findAnyVenue } from "../venues.server.ts";
import type { Route } from "./+types/race.page.ts";
import { changeRaceForm } from "./change-race-form.server.ts";
import { readRaceParams } from "./read-race-params.server.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Race, Admin", description: "Change a reported race.", isPrivate: true });

export async function loader({ params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { venueId, raceDate, raceNumber } = readRaceParams(params);
  const [venue, day, races] = await Promise.all([
    findAnyVenue(venueId),
    readRaceDay(venueId, raceDate),
    readDeclaredRaces(venueId, raceDate),
  ]);
  const race = races.find((each) => each.raceNumber === raceNumber);
  if (!venue || !day || !race) throw data(null, { status: 404 });
  return {
    venue: { id: venue.id, name: venue.name },
    raceDate,
    source: day.source,
    race,
    raceNumbers: races.map((each) => each.raceNumber),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await changeRaceForm(admin.id, await request.formData(), readRaceParams(params));
}

/** Admin page to change the off of one race, and to scratch and reinstate its runners. */
export default function AdminRace(props: Route.ComponentProps) {
  const { venue, raceDate, race, raceNumbers } = props.loaderData;
  const dayPath = `/admin/venues/${venue.id}/race-days/${raceDate}`;
  const path = `${dayPath}/races/${race.raceNumber}`;
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to={dayPath} standalone className="text-sm">
          Race day at {venue.name}
        </TextLink>
        <SectionHeading className="mt-2">
          Race {race.raceNumber}, {venue.name}, {formatDate(raceDate, "long")}
        </SectionHeading>
      </div>
      <LinkTabs
        label="Races"
        tabs={raceNumbers.map((number) => ({
          to: `${dayPath}/races/${number}`,
          label: `Race ${number}`,
          current: number === race.raceNumber,
        }))}
      />
      <RaceForm key={path} path={path} {...props} />
    </div>
  );
}

function RaceForm({
  path,
  loaderData,
  actionData,
}: { path: string } & Pick<Route.ComponentProps, "loaderData" | "actionData">) {
  const fetcher = useFetcher<AdminFormResult>();
  const result = fetcher.data ?? actionData;
  const form = useFocusFirstError(result);
  // The fields keep what the form was opened with when the page is revalidated, until it is saved.
  const [opened, setOpened] = useState({ ...loaderData, saves: 0 });
  const savedResult = fetcher.state === "idle" && fetcher.data?.ok ? fetcher.data : null;
  useResponse(savedResult, () => setOpened(({ saves }) => ({ ...loaderData, saves: saves + 1 })));
  const { race, source, saves } = opened;
  const values = result?.ok ? undefined : result?.values;
  const off = timeAt(race.offAt);
  const list = (runners: typeof race.runners) => runners.map(({ number }) => number).join(" ");
  return (
    <fetcher.Form ref={form} method="post" action={path} noValidate>
      <input type="hidden" name="wasOff" value={values?.wasOff ?? off} />
      <input
        type="hidden"
        name="wasScratched"
        value={values?.wasScratched ?? list(race.runners.filter(({ isScratched }) => isScratched))}
      />
      <input type="hidden" name="runners" value={list(race.runners)} />
      <Panel title={race.name ?? `Race ${race.raceNumber}`}>
        <div key={saves} className="grid gap-4">
          <TimeField
            label="Off"
            name="off"
            defaultValue={values?.off ?? off}
            error={result?.errors?.off}
            className="max-w-40"
          />
          {race.runners.length > 0 ? (
            <fieldset>
              <legend className="text-sm leading-5 font-semibold">Scratched</legend>
              <div className="mt-1 grid gap-x-5 sm:grid-cols-2 lg:grid-cols-3">
                {race.runners.map(({ number, horseName, isScratched }) => (
                  <CheckboxField
                    key={number}
                    name={`scratched-${number}`}
                    label={
                      <span className="wrap-anywhere">
                        {number} {horseName}
                      </span>
                    }
                    defaultChecked={values ? `scratched-${number}` in values : isScratched}
                  />
                ))}
              </div>
            </fieldset>
          ) : (
            <p className="text-sm text-ink-2">No runners are declared for this race.</p>
          )}
          <TextField
            label="Source"
            name="source"
            required
            maxLength={MAX_SOURCE}
            hint="Where the change comes from. The source of the race day stays."
            defaultValue={values?.source ?? source ?? ""}
            error={result?.errors?.source}
            className="max-w-md"
          />
          {result?.message ? (
            <FormMessage type={result.ok ? "success" : "error"}>{result.message}</FormMessage>
          ) : null}
          <div>
            <Button type="submit" pending={fetcher.state !== "idle"} pendingLabel="Saving">
              Save race
            </Button>
          </div>
        </div>
      </Panel>
    </fetcher.Form>
  );
}
