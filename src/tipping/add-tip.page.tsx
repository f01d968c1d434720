import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import { data, Form, redirect, useNavigate, useNavigation } from "react-router";
import { MAX_DAYS_AHEAD } from "#domain/batch.ts";
import { addDays, dateAt } from "#domain/calendar.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { viewerOf } from "#identity/identity.server.ts";
import { useFirstError } from "#identity/identity.ui.tsx";
import { now } from "#platform/clock.server.ts";
import { factsOf } from "#platform/request.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/form-message.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { RadioGroupField } from "#ui/radio-group-field.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { TextAreaField } from "#ui/text-area-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { showToast } from "#ui/toast.tsx";
import type { Route } from "./+types/add-tip.page.ts";
import { MAX_ANALYST_HORSE_NUMBER } from "./analyst-tip.input.ts";
import { answerAnalystTip } from "./answer-analyst-tip.server.ts";
import { MAX_ANALYSIS, MAX_HORSE_NAME } from "./batch.input.ts";
import { findCreator } from "./find-creator.server.ts";
import { ProfilePhoto } from "./profile-photo.ui.tsx";
import { CONFIDENCE_OPTIONS, TIP_TYPE_OPTIONS } from "./race-fields.ui.tsx";
import { requireCreator } from "./require-creator.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Add Racing Tip",
    description: "Publish a racing tip as a Furlong analyst.",
    isPrivate: true,
  });

async function requireAnalyst(context: Route.LoaderArgs["context"]) {
  const viewer = await viewerOf(context);
  if (!viewer) throw redirect("/analyst");
  const creator = await findCreator(viewer.id);
  if (creator?.kind !== "analyst") throw data("This is for analysts.", { status: 403 });
  if (creator.suspendedAt) throw redirect("/tipster-dashboard/add");
  return await requireCreator(context);
}

export async function loader({ context }: Route.LoaderArgs) {
  const { name, profileImage } = await requireAnalyst(context);
  const today = dateAt(now());
  return {
    name,
    profileImage,
    today,
    lastDay: addDays(today, MAX_DAYS_AHEAD),
    venues: (await listVenues()).map((venue) => ({ value: venue.id, label: venue.name })),
    batchKey: randomUUID(),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const analyst = await requireAnalyst(context);
  return await answerAnalystTip(analyst.id, await request.formData(), factsOf(context).id);
}

/** The analyst's form: one tip at a time, under their own name. */
export default function AddTip({ loaderData, actionData: answer }: Route.ComponentProps) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!answer?.ok) return;
    showToast({ type: "success", title: "Racing tip added successfully!" });
    navigate("/");
  }, [answer, navigate]);

  return (
    <div className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
      <PageHeading
        over="Analysts"
        actions={
          <>
            <ButtonLink to="/tipster-dashboard" variant="secondary">
              Dashboard
            </ButtonLink>
            <ButtonLink to="/" variant="secondary">
              Back to Home
            </ButtonLink>
          </>
        }
      >
        Add Racing Tip
      </PageHeading>
      {answer?.ok ? (
        <FormMessage type="success" title="Racing tip added successfully!" className="mt-6">
          <TextLink to="/">See it among the race cards</TextLink>
        </FormMessage>
      ) : null}
      <div className="mt-6 flex flex-col gap-6 sm:flex-row">
        <ProfilePhoto
          name={loaderData.name}
          photo={loaderData.profileImage}
          action="/tipster-dashboard/photo"
        />
        <TipForm key={answer?.ok ? "sent" : "open"} {...loaderData} answer={answer} />
      </div>
    </div>
  );
}

function TipForm({
  name,
  today,
  lastDay,
  venues,
  batchKey,
  answer,
}: Route.ComponentProps["loaderData"] & { answer: Route.ComponentProps["actionData"] }) {
  const form = useFirstError(answer);
  const isPending = useNavigation().formMethod === "POST";
  const { errors = {}, values = {} } = answer?.ok === false ? answer : {};
  const field = (fieldOf: string) => ({
    name: fieldOf,
    required: true,
    defaultValue: values[fieldOf],
    error: errors[fieldOf],
  });
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      className="@container grid min-w-0 flex-1 grid-cols-6 gap-x-3 gap-y-4"
    >
      <input type="hidden" name="batchKey" value={values.batchKey ?? batchKey} />
      {answer?.ok === false && answer.message ? (
        <FormMessage type="error" title={answer.title} className="col-span-6">
          {answer.message}
        </FormMessage>
      ) : null}
      <TextField
        label="Tipster name"
        value={name}
        readOnly
        hint="Your display name; you change it in your profile"
        className="col-span-6"
      />
      <SelectField
        {...field("venueId")}
        label="Venue"
        placeholder="Select a venue"
        options={venues}
        className="col-span-6 @md:col-span-3"
      />
      <TextField
        {...field("raceDate")}
        label="Race date"
        type="date"
        min={today}
        max={lastDay}
        defaultValue={values.raceDate ?? today}
        className="col-span-6 @md:col-span-3"
      />
      <SelectField
        {...field("raceNumber")}
        label="Race"
        placeholder="–"
        options={Array.from({ length: MAX_RACES }, (_, each) => ({
          value: String(each + 1),
          label: String(each + 1),
        }))}
        className="col-span-2"
      />
      <TextField
        {...field("raceTime")}
        label="Off time"
        type="time"
        figures
        className="col-span-2"
      />
      <TextField
        {...field("horseNumber")}
        label="Horse no."
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_ANALYST_HORSE_NUMBER}
        step={1}
        figures
        className="col-span-2"
      />
      <TextField
        {...field("horseName")}
        label="Horse name"
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        maxLength={MAX_HORSE_NAME}
        className="col-span-6"
      />
      <RadioGroupField
        {...field("tipType")}
        label="Tip type"
        options={TIP_TYPE_OPTIONS}
        className="col-span-6 @md:col-span-3"
      />
      <RadioGroupField
        {...field("confidence")}
        label="Confidence"
        options={CONFIDENCE_OPTIONS}
        className="col-span-6 @md:col-span-3"
      />
      <TextAreaField
        {...field("reasoning")}
        label="Reasoning"
        rows={5}
        maxLength={MAX_ANALYSIS}
        className="col-span-6"
      />
      <p className="col-span-6 text-xs text-ink-3">
        A published tip does not change any more. Your photo and name stand beside it.
      </p>
      <Button
        type="submit"
        size="large"
        pending={isPending}
        pendingLabel="Publishing"
        className="col-span-6"
      >
        Add Racing Tip
      </Button>
    </Form>
  );
}
