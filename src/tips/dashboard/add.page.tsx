import { randomUUID } from "node:crypto";
import { requireCreator } from "#creators/creators.server.ts";
import { MAX_DAYS_AHEAD } from "#domain/batch.ts";
import { addDays, dateAt, formatDate } from "#domain/calendar.ts";
import { formatCardPrice } from "#domain/coin-packs.ts";
import { formatRaceNumbers } from "#domain/format-races.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { usePrices } from "#ui/prices.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import { BatchForm, createBatchDraft } from "../publishing/batch-form.ui.tsx";
import { handleBatch } from "../publishing/handle-batch.server.ts";
import type { Route } from "./+types/add.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Add Daily Racing Tips",
    description: "Publish a race card: one venue, one day, 1 to 12 races.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const creator = await requireCreator(context);
  const at = now();
  const today = dateAt(at);
  // Without JavaScript the form cannot add races, so the URL sets their number.
  const requested = Number(new URL(request.url).searchParams.get("races")) || 1;
  return {
    creatorId: creator.id,
    isSuspended: creator.suspendedAt !== null,
    today,
    now: at,
    lastDay: addDays(today, MAX_DAYS_AHEAD),
    cutOffMinutes: env().tipCutOffMinutes,
    venues: (await listVenues()).map(({ id, name }) => ({ id, name })),
    start: createBatchDraft(randomUUID(), today, Math.min(Math.max(1, requested), MAX_RACES)),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  return await handleBatch(creator.id, await request.formData(), getRequestDetails(context).id);
}

/** The page with the daily batch form. */
export default function AddTips({ loaderData, actionData: result }: Route.ComponentProps) {
  const prices = usePrices();
  const hydrated = useHydrated();
  if (result?.ok)
    return (
      <div className="grid max-w-xl justify-items-start gap-4">
        <FormMessage type="success" title="Tips published">
          {result.venueName}, {formatDate(result.raceDate, "long")}:{" "}
          {formatRaceNumbers(result.raceNumbers)}.
        </FormMessage>
        <ButtonLink to="/tipster-dashboard/tips">My Tips</ButtonLink>
      </div>
    );
  const { isSuspended, ...form } = loaderData;
  if (isSuspended && !result)
    return (
      <FormMessage type="warning" className="max-w-xl">
        Your account can't publish tips at the moment. Please contact us.
      </FormMessage>
    );
  return (
    <div>
      <SectionHeading
        className="mb-4"
        lead={`Choose one venue and one day, and add 1 to ${MAX_RACES} races. They are sold together as one race card for ${formatCardPrice(prices)}.`}
      >
        Add Daily Racing Tips
      </SectionHeading>
      {hydrated ? null : (
        <noscript>
          <p className="mb-4 text-sm">
            Start with <TextLink to="?races=4">4</TextLink>, <TextLink to="?races=8">8</TextLink> or{" "}
            <TextLink to="?races=12">12</TextLink> races.
          </p>
        </noscript>
      )}
      <BatchForm
        {...form}
        initialDraft={result?.values ?? form.start}
        result={result}
        batchDayUrl="/tipster-dashboard/batch-day"
        successUrl="/tipster-dashboard/tips"
      />
    </div>
  );
}
