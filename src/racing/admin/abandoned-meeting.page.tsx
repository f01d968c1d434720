import { data, Form, redirect, useNavigation } from "react-router";
import * as v from "valibot";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { formatDate, isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { MAX_SOURCE } from "#domain/race-day.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { sourceInput } from "../race-day.input.ts";
import { readDeclaredRaces } from "../read-declared-races.server.ts";
import { enterAbandonedMeeting } from "../results/enter-abandoned-meeting.server.ts";
import { sourceUrlInput } from "../results/race-result.input.ts";
import { readOfficialResults, readUnconfirmedResults } from "../results/read-results.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";
import { findAnyVenue } from "../venues.server.ts";
import type { Route } from "./+types/abandoned-meeting.page.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Abandoned meeting, Admin",
    description: "Enter the rest of a meeting as abandoned.",
    isPrivate: true,
  });

async function readMeeting({ venueId, raceDate }: { venueId: string; raceDate: string }) {
  const venue = isId(venueId) && isCalendarDate(raceDate) ? await findAnyVenue(venueId) : null;
  if (!venue) throw data(null, { status: 404 });
  return { venue, raceDate };
}

export async function loader({ params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { venue, raceDate } = await readMeeting(params);
  const meeting = { venueId: venue.id, raceDate };
  const [races, official, unconfirmed] = await Promise.all([
    readDeclaredRaces(venue.id, raceDate),
    readOfficialResults(meeting),
    readUnconfirmedResults(meeting),
  ]);
  const withResult = new Set([...official, ...unconfirmed].map(({ raceNumber }) => raceNumber));
  return {
    venue: { id: venue.id, name: venue.name },
    raceDate,
    raceNumbers: races
      .map(({ raceNumber }) => raceNumber)
      .filter((raceNumber) => !withResult.has(raceNumber)),
  };
}

const abandonedMeetingInput = v.object({
  firstRaceNumber: v.pipe(
    v.string(),
    v.regex(/^\d{1,2}$/, "Select the first race that was not run"),
    v.transform(Number),
  ),
  source: sourceInput,
  sourceUrl: v.pipe(
    v.string(),
    v.transform((text) => text.trim() || null),
    sourceUrlInput,
  ),
});

export async function action({ request, params, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  const { venue, raceDate } = await readMeeting(params);
  return await handleAdminForm(admin, {
    request,
    context,
    input: abandonedMeetingInput,
    run: (fields) => enterAbandonedMeeting(admin.id, { venueId: venue.id, raceDate, ...fields }),
    done: ({ raceNumbers }) => {
      throw redirect(`/admin/results?saved=${raceNumbers.join(",")}`);
    },
    refusals: (refused) =>
      refused.refusal === "has-tips"
        ? [`Race ${refused.raceNumber}: ${HAS_TIPS_MESSAGE}`, 403]
        : "All races of this meeting from this one on have a result already.",
    failed: "Failed to save the results",
  });
}

/** Admin page to enter the remaining races of a meeting as abandoned. */
export default function AbandonedMeeting({ loaderData, actionData }: Route.ComponentProps) {
  const { venue, raceDate, raceNumbers } = loaderData;
  const form = useFocusFirstError(actionData);
  const isPending = useNavigation().state !== "idle";
  const { errors = {}, values } = actionData ?? {};
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/results" standalone className="text-sm">
          Race results
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead="Races that were not run are void once another admin has confirmed them: buyers get coins back for them."
        >
          Abandoned meeting: {venue.name}, {formatDate(raceDate, "long")}
        </SectionHeading>
      </div>
      {raceNumbers.length === 0 ? (
        <EmptyState compact drawing="raceCard" title="No races without a result">
          To change a result, correct it.
        </EmptyState>
      ) : (
        <Form
          ref={form}
          method="post"
          action={`/admin/results/${venue.id}/${raceDate}/abandoned`}
          noValidate
        >
          {actionData?.message ? (
            <FormMessage type="error" className="mb-5">
              {actionData.message}
            </FormMessage>
          ) : null}
          <Panel title="Enter as abandoned">
            <div className="grid gap-4 sm:grid-cols-3">
              <SelectField
                name="firstRaceNumber"
                label="First race that was not run"
                options={raceNumbers.map((raceNumber) => ({
                  value: String(raceNumber),
                  label: `Race ${raceNumber}`,
                }))}
                placeholder="Select a race"
                defaultValue={values?.firstRaceNumber}
                error={errors.firstRaceNumber}
                hint="It and all races after it."
              />
              <TextField
                name="source"
                label="Source"
                required
                maxLength={MAX_SOURCE}
                defaultValue={values?.source}
                error={errors.source}
              />
              <TextField
                name="sourceUrl"
                label="Link to the source"
                optional
                type="url"
                maxLength={500}
                defaultValue={values?.sourceUrl}
                error={errors.sourceUrl}
              />
            </div>
            <div className="mt-5 flex flex-wrap gap-2">
              <Button type="submit" pending={isPending} pendingLabel="Saving">
                Enter as abandoned
              </Button>
              <ButtonLink to="/admin/results" variant="secondary">
                Back
              </ButtonLink>
            </div>
          </Panel>
        </Form>
      )}
    </div>
  );
}
