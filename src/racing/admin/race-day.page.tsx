import { type FormEvent, type ReactNode, useState } from "react";
import { data, useFetcher } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { type AdminFormResult, FormDraftMessage, useFormDraft } from "#admin-kit/admin-kit.ui.tsx";
import { formatDate, isCalendarDate, timeAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { GOINGS, MAX_SOURCE, WEATHERS } from "#domain/race-day.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FieldError } from "#ui/forms/field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { readRaceDay } from "../race-days.server.ts";
import { readDeclaredRaces } from "../read-declared-races.server.ts";
import { findAnyVenue } from "../venues.server.ts";
import type { Route } from "./+types/race-day.page.ts";
import { ConflictChoices } from "./conflict-choices.ui.tsx";
import { OffTimesFiller } from "./off-times-filler.ui.tsx";
import { RaceFields } from "./race-fields.ui.tsx";
import { saveRaceDayForm } from "./save-race-day-form.server.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Race day, Admin", description: "Enter a race day.", isPrivate: true });

async function readParams(params: { venueId: string; raceDate: string }) {
  const venue =
    isId(params.venueId) && isCalendarDate(params.raceDate)
      ? await findAnyVenue(params.venueId)
      : null;
  if (!venue) throw data(null, { status: 404 });
  return { venue, raceDate: params.raceDate };
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const { venue, raceDate } = await readParams(params);
  const [day, races] = await Promise.all([
    readRaceDay(venue.id, raceDate),
    readDeclaredRaces(venue.id, raceDate),
  ]);
  return { adminId: admin.id, venue, raceDate, day, races };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  const { venue, raceDate } = await readParams(params);
  return await saveRaceDayForm(admin.id, await request.formData(), {
    venueId: venue.id,
    raceDate,
  });
}

const capitalise = (word: string) => word[0]?.toUpperCase() + word.slice(1);

/** Admin page of a race day: off times, races with runners, going, weather and their source. */
export default function AdminRaceDay(props: Route.ComponentProps) {
  const { venue, raceDate } = props.loaderData;
  return <RaceDayForm key={`${venue.id} ${raceDate}`} {...props} />;
}

function RaceDayForm({
  loaderData,
  actionData,
}: Pick<Route.ComponentProps, "loaderData" | "actionData">) {
  const { adminId, venue, raceDate, day, races } = loaderData;
  const path = `/admin/venues/${venue.id}/race-days/${raceDate}`;
  // The fields keep the values that the form was opened with when the data is revalidated, for example on focus.
  const [opened, setOpened] = useState({ day, races });
  const fetcher = useFetcher<AdminFormResult>();
  const result = fetcher.data ?? actionData;
  const form = useFocusFirstError(result);
  const [generated, setGenerated] = useState<{ times: string[]; count: number } | null>(null);
  const savedResult = fetcher.state === "idle" && fetcher.data?.ok ? fetcher.data : null;
  const openedVersion = opened.day?.version ?? 0;
  const draft = useFormDraft({ adminId, path, version: String(openedVersion), form });
  useResponse(fetcher.data, ({ ok, message }) => {
    if (!ok) return;
    showToast({ type: "success", title: message ?? "Saved" });
    // At once, because the page may be left before the stored report is read again.
    draft.remove();
  });
  useResponse(savedResult, () => {
    draft.discard();
    setOpened({ day, races });
    setGenerated(null);
  });
  const { errors = {} } = result ?? {};
  const values = (result?.ok ? undefined : result?.values) ?? draft.values;
  const fieldsKey = `${openedVersion}-${draft.fillKey}`;
  const findOffTime = (raceNumber: number) => {
    const race = opened.races.find((each) => each.raceNumber === raceNumber);
    return values?.[`off-${raceNumber}`] ?? (race ? timeAt(race.offAt) : "");
  };
  // The count is part of the fields' keys, so that filling in again replaces edited times.
  const fill = (times: string[]) =>
    setGenerated((previous) => ({ times, count: (previous?.count ?? 0) + 1 }));
  const preventDoubleSubmit = (event: FormEvent) => {
    if (fetcher.state !== "idle") event.preventDefault();
  };
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to={`/admin/venues/${venue.id}/race-days`} standalone className="text-sm">
          Race days at {venue.name}
        </TextLink>
        <SectionHeading
          className="mt-2"
          aside={
            day ? (
              <>
                Reported <DateTime at={day.reportedAt} />
              </>
            ) : (
              "Nothing reported yet"
            )
          }
        >
          {venue.name}, {formatDate(raceDate, "long")}
        </SectionHeading>
      </div>
      <FormDraftMessage draft={draft.found} />
      <div className="grid gap-1">
        <RaceLinks label="Off and scratchings" path={`${path}/races`} races={races} />
        <RaceLinks label="Results" path={`/admin/results/${venue.id}/${raceDate}`} races={races}>
          <TextLink to={`/admin/results/${venue.id}/${raceDate}`} standalone>
            Whole meeting
          </TextLink>
          <TextLink to={`/admin/results/${venue.id}/${raceDate}/abandoned`} standalone>
            Abandoned meeting
          </TextLink>
        </RaceLinks>
      </div>
      <fetcher.Form
        ref={form}
        method="post"
        // Without JavaScript the browser scrolls to the result of the submission.
        action={`${path}#save`}
        onSubmit={preventDoubleSubmit}
        className="grid gap-5"
      >
        <input type="hidden" name="version" value={values?.version ?? openedVersion} />
        <input type="hidden" name="opened" value={values?.opened ?? toOpenedReport(opened)} />
        <Panel title="Off times" aside="South African time">
          <OffTimesFiller onFill={fill} />
          <div className="grid grid-cols-[repeat(auto-fill,minmax(8.75rem,1fr))] gap-x-3 gap-y-4">
            {Array.from({ length: MAX_RACES }, (_, index) => index + 1).map((raceNumber) => (
              <TimeField
                key={`${raceNumber}-${fieldsKey}-${generated?.count ?? 0}`}
                label={`Race ${raceNumber}`}
                name={`off-${raceNumber}`}
                defaultValue={
                  generated ? (generated.times[raceNumber - 1] ?? "") : findOffTime(raceNumber)
                }
                error={errors[`off-${raceNumber}`]}
              />
            ))}
          </div>
          {errors.offTimes ? <FieldError>{errors.offTimes}</FieldError> : null}
        </Panel>
        <Panel title="Races and runners">
          <TextAreaField
            key={fieldsKey}
            label="Runners of the whole day"
            optional
            name="runners-all"
            rows={4}
            spellCheck={false}
            hint="One line each: race, number, horse, jockey, trainer, draw, and “scratched” if withdrawn. Replaces the runners of the races that it names."
            defaultValue={values?.["runners-all"] ?? ""}
            error={errors["runners-all"]}
          />
          {Array.from({ length: MAX_RACES }, (_, index) => index + 1).map((raceNumber) => (
            <RaceFields
              // A new report resets the fields.
              key={`${raceNumber}-${fieldsKey}`}
              raceNumber={raceNumber}
              race={opened.races.find((race) => race.raceNumber === raceNumber) ?? null}
              values={values}
              errors={errors}
            />
          ))}
        </Panel>
        <Panel title="Going and weather">
          <div key={fieldsKey} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            <SelectField
              label="Going"
              name="going"
              options={[
                { value: "", label: "Not reported" },
                ...GOINGS.map((going) => ({ value: going, label: going })),
              ]}
              defaultValue={values?.going ?? opened.day?.going ?? ""}
              error={errors.going}
            />
            <SelectField
              label="Weather"
              name="weather"
              options={[
                { value: "", label: "Not reported" },
                ...WEATHERS.map((weather) => ({ value: weather, label: capitalise(weather) })),
              ]}
              defaultValue={values?.weather ?? opened.day?.weather ?? ""}
              error={errors.weather}
            />
            <TextField
              label="Description"
              optional
              name="weatherDescription"
              maxLength={120}
              defaultValue={values?.weatherDescription ?? opened.day?.weatherDescription ?? ""}
              error={errors.weatherDescription}
            />
            <TextField
              label="Temperature, °C"
              optional
              name="temperatureCelsius"
              type="number"
              inputMode="numeric"
              figures
              defaultValue={values?.temperatureCelsius ?? opened.day?.temperatureCelsius ?? ""}
              error={errors.temperatureCelsius}
            />
            <TextField
              label="Humidity, %"
              optional
              name="humidityPercent"
              type="number"
              inputMode="numeric"
              figures
              defaultValue={values?.humidityPercent ?? opened.day?.humidityPercent ?? ""}
              error={errors.humidityPercent}
            />
            <TextField
              label="Wind, km/h"
              optional
              name="windKmh"
              type="number"
              inputMode="numeric"
              figures
              defaultValue={values?.windKmh ?? opened.day?.windKmh ?? ""}
              error={errors.windKmh}
            />
            <TextField
              label="Source"
              name="source"
              required
              maxLength={MAX_SOURCE}
              hint="Where this information comes from. Shown next to it."
              defaultValue={values?.source ?? opened.day?.source ?? ""}
              error={errors.source}
              className="sm:col-span-2"
            />
          </div>
        </Panel>
        <div id="save" className="grid gap-4">
          {result && !result.ok ? <ConflictChoices result={result} /> : null}
          {result?.ok && !fetcher.data ? (
            <FormMessage type="success">{result.message}</FormMessage>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" pending={fetcher.state !== "idle"} pendingLabel="Saving">
              Save race day
            </Button>
            <ButtonLink to={`/admin/venues/${venue.id}/race-days`} variant="secondary">
              Back
            </ButtonLink>
          </div>
        </div>
      </fetcher.Form>
    </div>
  );
}

/** Returns the report that the form was opened with, as `raceDayInput` reads it. Empty if nothing was reported. */
function toOpenedReport({ day, races }: Pick<Route.ComponentProps["loaderData"], "day" | "races">) {
  if (!day) return "";
  const { offTimes: _, reportedAt: __, ...report } = day;
  return JSON.stringify({
    ...report,
    races: races.map(({ offAt, ...race }) => ({ ...race, time: timeAt(offAt) })),
  });
}

/** Links to a page of each reported race: one to change it, or one for its result. */
function RaceLinks({
  label,
  path,
  races,
  children,
}: {
  label: string;
  path: string;
  races: Route.ComponentProps["loaderData"]["races"];
  children?: ReactNode;
}) {
  if (races.length === 0) return null;
  return (
    <nav aria-label={label} className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm">
      <span>{label}:</span>
      {races.map(({ raceNumber }) => (
        <TextLink
          key={raceNumber}
          to={`${path}/${raceNumber}`}
          standalone
          aria-label={`Race ${raceNumber}, ${label.toLowerCase()}`}
        >
          Race {raceNumber}
        </TextLink>
      ))}
      {children}
    </nav>
  );
}
