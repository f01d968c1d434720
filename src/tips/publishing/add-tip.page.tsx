import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import { data, redirect } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { findCreator, readInvitation, requireCreator } from "#creators/creators.server.ts";
import { ProfilePhoto } from "#creators/creators.ui.tsx";
import { MAX_DAYS_AHEAD } from "#domain/batch.ts";
import { addDays, dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/add-tip.page.ts";
import { AnalystForm } from "./analyst-form.ui.tsx";
import { handleAnalystTip } from "./handle-analyst-tip.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Add Racing Tip",
    description: "Publish a racing tip as a Furlong analyst.",
    isPrivate: true,
  });

async function requireAnalyst(context: Route.LoaderArgs["context"]) {
  const viewer = await findViewer(context);
  if (!viewer) throw redirect("/analyst");
  const creator = await findCreator(viewer.id);
  if (!creator && (await readInvitation(viewer.id))) throw redirect("/tipster-invitation");
  if (creator?.kind !== "analyst") throw data("Only analysts can use this page.", { status: 403 });
  if (creator.suspendedAt) throw redirect("/tipster-dashboard/add");
  return await requireCreator(context);
}

export async function loader({ context }: Route.LoaderArgs) {
  const { id, name, photo } = await requireAnalyst(context);
  const today = dateAt(now());
  return {
    creatorId: id,
    name,
    photo,
    today,
    lastDay: addDays(today, MAX_DAYS_AHEAD),
    cutOffMinutes: env().tipCutOffMinutes,
    venues: (await listVenues()).map((venue) => ({ value: venue.id, label: venue.name })),
    idempotencyKey: randomUUID(),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const analyst = await requireAnalyst(context);
  return await handleAnalystTip(
    analyst.id,
    await request.formData(),
    getRequestDetails(context).id,
  );
}

/** The analyst form: one tip at a time, under the analyst's own name. */
export default function AddTip({ loaderData, actionData: result }: Route.ComponentProps) {
  useEffect(() => {
    if (!result?.ok) return;
    showToast({ type: "success", title: "Racing tip added successfully!" });
    document.querySelector<HTMLElement>("[name=raceNumber]")?.focus();
  }, [result]);

  return (
    <div className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
      <PageHeading
        kicker="Analysts"
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
      {result?.ok ? (
        <FormMessage type="success" title="Racing tip added successfully!" className="mt-6">
          <TextLink to="/">See it on the race card page</TextLink>
        </FormMessage>
      ) : null}
      <div className="mt-6 flex flex-col gap-6 sm:flex-row">
        <ProfilePhoto
          name={loaderData.name}
          photo={loaderData.photo}
          action="/tipster-dashboard/photo"
        />
        <AnalystForm
          key={result?.ok ? result.idempotencyKey : "open"}
          {...loaderData}
          result={result}
          dayUrl="/tipster-dashboard/batch-day"
        />
      </div>
    </div>
  );
}
