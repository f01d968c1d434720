import { data, redirect, redirectDocument } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { describeGuestDeal, GUEST_DEAL } from "#domain/coin-packs.ts";
import { formatRaceCount } from "#domain/format-races.ts";
import { isId } from "#domain/id.ts";
import { toSameOriginPath } from "#domain/same-origin-path.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { findRaceCardOnSale, readRaceCardStatus } from "#tips/tips.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { usePrices } from "#ui/prices.ts";
import { RaceStrip } from "#ui/racing/race-strip.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/guest-purchase.page.ts";
import { createIdempotencyKey, readShownCents } from "./checkout-form.ts";
import { GuestPurchaseForm, type GuestPurchaseResult } from "./guest-purchase-form.ui.tsx";
import { refusalMessage, refusalStatus } from "./messages.ts";
import { guestPurchaseInput } from "./purchase.input.ts";
import { type GuestRefusal, startGuestPurchase } from "./start-guest-purchase.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Open this race card",
    description: "Buy one race card without an account, with coins for the next one.",
    isPrivate: true,
  });

export async function loader({ params, context }: Route.LoaderArgs) {
  if (!isId(params.raceCardId)) throw data(null, { status: 404 });
  // Signed-in users open race cards with coins.
  if (await findViewer(context)) throw redirect(`/race-cards/${params.raceCardId}`);
  const raceCard = await findRaceCardOnSale(params.raceCardId);
  if (!raceCard) {
    const status = await readRaceCardStatus(params.raceCardId);
    if (!status || status.unsoldReason === "hidden") throw data(null, { status: 404 });
    return { raceCard: null, idempotencyKey: "" };
  }
  return {
    raceCard: {
      id: raceCard.id,
      venue: raceCard.venue.name,
      raceDate: raceCard.raceDate,
      tipster: raceCard.creator.name,
      isMeetingConfirmed: raceCard.isMeetingConfirmed,
      racesRun: raceCard.racesRun,
      races: raceCard.races.map(({ raceNumber, offAt, isOver }) => ({
        raceNumber,
        time: offAt && timeAt(offAt),
        isOver,
      })),
    },
    idempotencyKey: createIdempotencyKey(),
  };
}

/** The fields below which a refusal is shown; others are shown above the form. */
const REFUSED_FIELDS: Partial<Record<GuestRefusal, string>> = {
  "has-account": "email",
  "weak-password": "password",
};

export async function action({ request, params, context }: Route.ActionArgs) {
  if (!isId(params.raceCardId)) throw data(null, { status: 404 });
  const form = await request.formData();
  const refused = await handleForm(form, {
    input: guestPurchaseInput,
    run: (input) =>
      startGuestPurchase({
        ...input,
        shownCents: readShownCents(form, GUEST_DEAL.id),
        returnTo: toSameOriginPath(input.returnTo),
        raceCardId: params.raceCardId,
        clientAddress: getRequestDetails(context).clientAddress,
        request,
      }),
    done: ({ redirectUrl, setCookie }) => {
      throw redirectDocument(redirectUrl, { status: 303, headers: { "Set-Cookie": setCookie } });
    },
    refusals: ({ refusal }) => {
      const message = refusalMessage(refusal);
      const field = REFUSED_FIELDS[refusal];
      return {
        ...(field ? { errors: { [field]: message } } : { message }),
        status: refusalStatus(refusal),
      };
    },
    keep: ["name", "email"],
  });
  const raceCard = await findRaceCardOnSale(params.raceCardId);
  const result = {
    ...refused.data,
    racesRun: raceCard?.racesRun ?? 0,
    idempotencyKey: createIdempotencyKey(),
  };
  return data<GuestPurchaseResult>(result, refused.init ?? undefined);
}

/** Shows the page where a guest buys one race card. */
export default function GuestPurchase({ loaderData, actionData }: Route.ComponentProps) {
  const { raceCard, idempotencyKey } = loaderData;
  const prices = usePrices();
  if (!raceCard)
    return (
      <div className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
        <PageHeading>Open this race card</PageHeading>
        <EmptyState drawing="post" title="This race card is no longer on sale">
          <ButtonLink to={LIST_PATH}>See race cards on sale</ButtonLink>
        </EmptyState>
      </div>
    );
  const raceCardPath = `/race-cards/${raceCard.id}`;
  return (
    <div className="mx-auto max-w-5xl px-4 py-4 sm:px-6 sm:py-8">
      <PageHeading
        lead={
          <>
            {formatRaceCount(raceCard.races.length - raceCard.racesRun)} to come.{" "}
            {describeGuestDeal(prices)}{" "}
            <TextLink to={`/login?return=${encodeURIComponent(raceCardPath)}`}>
              I have an account
            </TextLink>
          </>
        }
      >
        {raceCard.venue}, {raceCard.tipster}
      </PageHeading>
      <div className="mt-3 grid gap-6 sm:mt-6 md:grid-cols-2">
        <Panel
          title={raceCard.venue}
          aside={formatDate(raceCard.raceDate, "short")}
          flush
          className="self-start max-md:order-last"
        >
          <p className="px-4 py-3 text-sm text-ink-2">
            By <strong className="text-ink">{raceCard.tipster}</strong>
          </p>
          {raceCard.isMeetingConfirmed ? null : (
            <p className="px-4 pb-3 text-xs font-semibold text-warn-ink">Meeting not confirmed</p>
          )}
          <RaceStrip races={raceCard.races} date={raceCard.raceDate} />
          <p className="px-4 py-3 text-sm text-ink-2">
            You'll see the selection and analysis for{" "}
            {raceCard.races.length === 1 ? "the race" : "every race"} straight away. The race card
            stays in your account.
          </p>
        </Panel>
        <div>
          <GuestPurchaseForm
            raceCardId={raceCard.id}
            racesRun={raceCard.racesRun}
            raceCount={raceCard.races.length}
            returnTo={raceCardPath}
            idempotencyKey={idempotencyKey}
            result={actionData}
          />
        </div>
      </div>
    </div>
  );
}
