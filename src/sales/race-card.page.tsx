import { randomUUID } from "node:crypto";
import { type ComponentProps, useState } from "react";
import {
  data,
  Form,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigationType,
} from "react-router";
import * as v from "valibot";
import {
  findViewer,
  hasSessionCookie,
  loginPath,
  readSessionToken,
} from "#accounts/accounts.server.ts";
import { type CalendarDate, dateAt, formatDate, timeAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { OFFLINE_COPY_HEADERS } from "#platform/offline.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { readRaceCardEntries } from "#proof/proof.server.ts";
import { RaceCardProof } from "#proof/proof.ui.tsx";
import { type PublicResult, readPublicResults } from "#racing/racing.server.ts";
import { OfficialResults } from "#racing/racing.ui.tsx";
import {
  type PublicTip,
  readNotes,
  readPublicRaceCard,
  readPublicTipsOf,
  readRaceCardStatus,
  type UnsoldReason,
} from "#tips/tips.server.ts";
import { NoteList } from "#tips/tips.ui.tsx";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { classNames } from "#ui/class-names.ts";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { CardPrice } from "#ui/prices.ts";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import { useMinuteRefresh } from "#ui/use-minute-refresh.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import type { Route } from "./+types/race-card.page.ts";
import { countRacesRun } from "./count-races-run.ts";
import { toListedRaceCard } from "./listed-race-card.server.ts";
import { type OpenedTip, readCoinReturn, readOpenedTips } from "./opened-cards.server.ts";
import { toOpenedRaceCard, toUnlistedRaceCard } from "./opened-race-card.ts";
import type { ListedRaceCard } from "./race-card-list.ui.tsx";
import { type PanelRaceCard, RaceCardPanel } from "./race-card-panel.ui.tsx";
import { RaceCardRecordSections } from "./race-card-record.ui.tsx";
import { type RaceCardRecord, readRaceCardRecord } from "./read-race-card-record.server.ts";
import type { UnlockResponse } from "./request-unlock.ts";
import type { Selection } from "./selections.ui.tsx";
import { unlockInput } from "./unlock.input.ts";
import { UnlockButton } from "./unlock-button.ui.tsx";
import { openedMessage, UNLOCK_REFUSAL_MESSAGES } from "./unlock-messages.ts";
import { unlockRaceCard } from "./unlock-race-card.server.ts";
import { type RaceCardPageState, useUnlockResponse } from "./use-unlock-response.ts";

const CACHE_SECONDS = 20;

export const handle = { scriptStart: "next-off" };

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!isId(params.raceCardId)) throw data(null, { status: 404 });
  const at = now();
  const [preview, viewer] = await Promise.all([
    readPublicRaceCard(params.raceCardId, at),
    findViewer(context),
  ]);
  const opened = viewer ? await readOpenedTips(viewer.id, [params.raceCardId]) : null;
  const tips = opened?.get(params.raceCardId) ?? null;
  if (!preview) {
    // Nothing is left to sell. What is public of it stays so; a hidden race card has its buyers and its creator only.
    const raceCard = await readRaceCardStatus(params.raceCardId);
    const isOwn = raceCard !== null && raceCard.creator.id === viewer?.id;
    if (!raceCard || (raceCard.unsoldReason === "hidden" && !tips && !isOwn))
      throw data(null, { status: 404 });
    const publicSelections =
      tips || raceCard.isSuspended
        ? []
        : ((await readPublicTipsOf([raceCard], at)).get(raceCard.id) ?? []).map(toPublicSelection);
    const coinReturn = viewer && tips ? await readCoinReturn(viewer.id, raceCard.id) : undefined;
    const listedRaceCard: ListedRaceCard = tips
      ? toOpenedRaceCard(raceCard, tips, coinReturn)
      : {
          raceCard: toUnlistedRaceCard(raceCard, publicSelections),
          tips: null,
          isOwn,
          idempotencyKey: null,
        };
    return respond(
      {
        readAt: at,
        listedRaceCard,
        isOnSale: false,
        unsoldReason: raceCard.unsoldReason,
        isSuspended: raceCard.isSuspended,
        publishedAt: raceCard.publishedAt,
        record: null,
        publicSelections,
        notes: tips || isOwn ? await readNotes([raceCard.id]) : [],
        logEntries: await readRaceCardEntries(raceCard.id),
        // Not those of locked selections, whose non-runners would betray them.
        officialResults: await readResultsOfRaceCard(
          { ...raceCard, races: listedRaceCard.raceCard.races },
          at,
        ),
      },
      { isGuest: !viewer, isOpened: tips !== null },
    );
  }
  const publicSelections =
    preview.isSuspended || tips
      ? []
      : ((await readPublicTipsOf([preview], at)).get(preview.id) ?? []).map(toPublicSelection);
  const listedRaceCard = toListedRaceCard(preview, {
    viewerId: viewer?.id ?? null,
    opened,
    requestId: randomUUID(),
  });
  if (viewer && tips)
    listedRaceCard.raceCard.coinReturn = await readCoinReturn(viewer.id, preview.id);
  const [record, logEntries, officialResults, notes] = await Promise.all([
    preview.raceDate >= dateAt(at) && !preview.isSuspended
      ? readRaceCardRecord(preview, { at, isOpened: tips !== null })
      : null,
    readRaceCardEntries(preview.id),
    readResultsOfRaceCard(
      // Void races too, which the preview omits. Their non-runners would betray a locked tip.
      { ...preview, races: tips ?? [...preview.races, ...publicSelections] },
      at,
    ),
    // Only for those who have paid, and the creator.
    tips || listedRaceCard.isOwn ? readNotes([preview.id]) : [],
  ]);
  const page: RaceCardPageData = {
    readAt: at,
    listedRaceCard,
    isOnSale: preview.isOnSale,
    unsoldReason: null,
    isSuspended: preview.isSuspended,
    publishedAt: preview.publishedAt,
    record,
    logEntries,
    officialResults,
    publicSelections,
    notes,
  };
  return respond(page, { isGuest: !viewer, isOpened: tips !== null });
}

type RaceCardPageData = {
  readAt: Date;
  listedRaceCard: ListedRaceCard;
  isOnSale: boolean;
  /** Why nothing of the race card is left to sell; null while something is, or was until its off. */
  unsoldReason: UnsoldReason | null;
  isSuspended: boolean;
  publishedAt: Date;
  record: RaceCardRecord | null;
  logEntries: Awaited<ReturnType<typeof readRaceCardEntries>>;
  officialResults: PublicResult[];
  publicSelections: Selection[];
  notes: Awaited<ReturnType<typeof readNotes>>;
};

/** Returns the page with the headers that allow a shared copy for guests and an offline copy for buyers. */
function respond(
  page: RaceCardPageData,
  { isGuest, isOpened }: { isGuest: boolean; isOpened: boolean },
) {
  if (isGuest)
    return data(page, { headers: { "Cache-Control": `public, s-maxage=${CACHE_SECONDS}` } });
  return data(page, isOpened ? { headers: OFFLINE_COPY_HEADERS } : undefined);
}

/** Returns a public tip with only the fields that the page shows. */
function toPublicSelection({
  id,
  raceNumber,
  offAt,
  horseNumber,
  horseName,
  tipType,
  confidence,
  result,
  isClaim,
  isOfficial,
  claimedResult,
  isLate,
  publishedAt,
}: PublicTip): Selection {
  return {
    id,
    raceNumber,
    offAt,
    horseNumber,
    horseName,
    tipType,
    confidence,
    result,
    isClaim,
    isOfficial,
    claimedResult,
    isLate,
    publishedAt,
  };
}

/** Returns the official results of the races of a race card; none before its day, which saves the query. */
async function readResultsOfRaceCard(
  raceCard: {
    venue: { id: string };
    raceDate: CalendarDate;
    races: readonly { raceNumber: number }[];
  },
  at: Date,
): Promise<PublicResult[]> {
  if (raceCard.raceDate > dateAt(at)) return [];
  const raceNumbers = new Set(raceCard.races.map(({ raceNumber }) => raceNumber));
  const { venue, raceDate } = raceCard;
  return (await readPublicResults({ venueId: venue.id, raceDate })).filter(({ raceNumber }) =>
    raceNumbers.has(raceNumber),
  );
}

/** Opens the race card for a browser without JavaScript. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await request.formData();
  const input = v.safeParse(unlockInput, {
    idempotencyKey: form.get("idempotencyKey"),
    acknowledgedRacesRun: Number(form.get("acknowledgedRacesRun")),
  });
  if (!input.success) throw data(null, { status: 400 });
  const unlock = await unlockRaceCard(readSessionToken(request), {
    raceCardId: params.raceCardId,
    ...input.output,
  });
  if (unlock.ok) return { ok: true as const, ...openedMessage(unlock) };
  if (unlock.refusal === "not-signed-in")
    throw redirect(loginPath(`/race-cards/${params.raceCardId}`, hasSessionCookie(context)));
  if (unlock.refusal === "race-card-not-found") throw data(null, { status: 404 });
  return {
    ok: false as const,
    refusal: unlock.refusal,
    title: UNLOCK_REFUSAL_MESSAGES[unlock.refusal]({ ...unlock, prices: await readPrices() }),
    racesRun: unlock.racesRun,
  };
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [];
  const { raceCard } = loaderData.listedRaceCard;
  return publicMeta(matches, {
    path: `/race-cards/${raceCard.id}`,
    imagePath: `/share/tipsters/${raceCard.creator.slug}.png`,
    crumbs: [{ name: raceCard.creator.name, path: `/tipsters/${raceCard.creator.slug}` }],
    title: `${raceCard.venue.name}, ${formatDate(raceCard.raceDate)}, by ${raceCard.creator.name}`,
    description:
      raceCard.teaser || `A race card by ${raceCard.creator.name} that is no longer on sale.`,
  });
};

export default function RaceCardPage({ loaderData, actionData }: Route.ComponentProps) {
  const {
    readAt,
    listedRaceCard,
    isOnSale,
    unsoldReason,
    isSuspended,
    publishedAt,
    record,
    publicSelections,
    officialResults,
    logEntries,
    notes,
  } = loaderData;
  const { raceCard, isOwn, idempotencyKey } = listedRaceCard;
  const currentTime = useMinute(readAt);
  const handleUnlockResponse = useUnlockResponse();
  const { state } = useLocation();
  // Only when coming from the list, not after a reload or Back.
  const isOpenedInList =
    useNavigationType() === "PUSH" && (state as RaceCardPageState | null)?.isNewlyOpened === true;
  // With the id, because the page of another race card keeps the state.
  const [opened, setOpened] = useState<{ id: string; tips: readonly OpenedTip[] } | null>(null);
  const newTips = opened?.id === raceCard.id ? opened.tips : null;
  const tips = listedRaceCard.tips ?? newTips;
  useMinuteRefresh(
    currentTime,
    isWaitingForResult({ raceCard, tips }, publicSelections, currentTime),
  );
  const isPast = raceCard.raceDate < dateAt(readAt);
  const panelProps = { raceCard, readAt, now: currentTime, level: 1, isLinked: false } as const;
  const unlockProps = {
    raceCard,
    now: currentTime,
    idempotencyKey,
    onResponse: (response: UnlockResponse) => {
      if (response.ok) setOpened({ id: raceCard.id, tips: response.tips });
      handleUnlockResponse(response, raceCard);
    },
  };
  return (
    <div
      className={classNames(
        "mx-auto px-4 py-6 sm:px-6 sm:py-8",
        record ? "max-w-6xl" : "max-w-3xl",
      )}
    >
      <div
        className={classNames(
          "grid items-start gap-x-8 gap-y-9",
          record && "lg:grid-cols-[minmax(0,1fr)_27rem]",
        )}
      >
        <div className="flex min-w-0 flex-col gap-4">
          {actionData ? (
            <UnlockMessage
              result={actionData}
              raceCardId={raceCard.id}
              idempotencyKey={idempotencyKey}
            />
          ) : null}
          {tips ? (
            <RaceCardPanel
              {...panelProps}
              selections={tips}
              isJustOpened={newTips !== null || isOpenedInList}
              hasNextOpen
              badge={<Badge tone="green">Unlocked</Badge>}
            />
          ) : unsoldReason === null && (isOnSale || isOwn) ? (
            <RaceCardPanel
              {...panelProps}
              selections={null}
              publicSelections={publicSelections}
              badge={isOwn ? <Badge>Your card</Badge> : null}
              action={isOwn ? null : <UnlockButton {...unlockProps}>Open race card</UnlockButton>}
            />
          ) : isPast && publicSelections.length > 0 ? (
            <RaceCardPanel
              {...panelProps}
              selections={publicSelections}
              badge={<Badge>{isOwn ? "Your card" : "Public"}</Badge>}
            />
          ) : (
            <RaceCardPanel
              {...panelProps}
              selections={null}
              publicSelections={publicSelections}
              badge={
                <Badge>
                  {isOwn ? "Your card" : unsoldReason ? UNSOLD_BADGES[unsoldReason] : "Off sale"}
                </Badge>
              }
            >
              <EmptyState compact drawing="post" title="No longer on sale">
                {isSuspended
                  ? "This tipster's race cards are not on sale at the moment."
                  : unsoldReason
                    ? UNSOLD_TEXTS[unsoldReason]
                    : "All races have started. Each selection becomes public with the official result of its race, at midnight at the latest."}
              </EmptyState>
            </RaceCardPanel>
          )}
          <NoteList
            notes={notes}
            heading={isOwn ? "Your notes" : `Notes from ${raceCard.creator.name}`}
          />
          {isOnSale && !tips && !isOwn ? (
            <p className="text-sm text-ink-2">
              Published <DateTime at={publishedAt} />. Yours to keep once opened; races added later
              are free.
            </p>
          ) : null}
          {logEntries ? (
            <RaceCardProof
              entries={logEntries}
              downloadPath={
                tips?.some(
                  ({ isOfficial, offAt }) =>
                    isOfficial || (offAt !== null && new Date(offAt) <= currentTime),
                )
                  ? `/race-cards/${raceCard.id}/proof.json`
                  : null
              }
            />
          ) : null}
          {isOwn ? (
            <p className="text-sm text-ink-2">
              This is your race card.{" "}
              <TextLink to="/tipster-dashboard">View it on your dashboard</TextLink>
            </p>
          ) : null}
          {isPast && publicSelections.length > 0 ? (
            <p className="text-sm text-ink-2">
              Only those who opened the race card can read the analysis.
            </p>
          ) : null}
          <OfficialResults results={officialResults} />
          <p className={record ? "max-lg:hidden" : undefined}>
            <AllRaceCardsLink />
          </p>
        </div>
        {record ? (
          <div className="flex min-w-0 flex-col gap-8">
            <RaceCardRecordSections
              record={record}
              tipster={raceCard.creator}
              venueName={raceCard.venue.name}
            />
            <p className="lg:hidden">
              <AllRaceCardsLink />
            </p>
          </div>
        ) : null}
      </div>
      {isOnSale && !tips && !isOwn ? <UnlockBar {...unlockProps} /> : null}
    </div>
  );
}

const UNSOLD_BADGES = { void: "Void", scratched: "Scratched", hidden: "Hidden" };

const UNSOLD_TEXTS = {
  void: "Every race on this race card is void. Each selection becomes public at midnight after the race day at the latest.",
  scratched:
    "Every selection on this race card is scratched or void. Each one becomes public at midnight after the race day at the latest.",
  hidden: "We have hidden every selection on this race card. Only its buyers can read them.",
};

/** Returns true while a race of today that is off has no official result. */
function isWaitingForResult(
  { raceCard, tips }: Pick<ListedRaceCard, "raceCard" | "tips">,
  publicSelections: readonly Selection[],
  now: Date,
): boolean {
  const publicRaces = new Set(publicSelections.map(({ raceNumber }) => raceNumber));
  const isOff = (offAt: Date | string | null) =>
    raceCard.raceDate === dateAt(now) && offAt !== null && new Date(offAt) <= now;
  return tips
    ? tips.some(({ offAt, isOfficial }) => isOff(offAt) && !isOfficial)
    : raceCard.races.some(({ raceNumber, offAt }) => isOff(offAt) && !publicRaces.has(raceNumber));
}

function AllRaceCardsLink() {
  return (
    <TextLink to={LIST_PATH} standalone>
      All race cards on sale
    </TextLink>
  );
}

/** The races to come and the button that opens the race card, at the bottom of the screen of a phone. */
function UnlockBar(props: Omit<ComponentProps<typeof UnlockButton<PanelRaceCard>>, "children">) {
  const { raceCard, now } = props;
  const count = raceCard.races.length - countRacesRun(raceCard.races, now);
  const next = findFirstOff(raceCard.races.filter(({ offAt }) => offAt !== null && offAt > now));
  return (
    <div className="sticky bottom-[var(--offline-notice-height)] z-10 -mx-4 mt-8 flex min-h-16 items-center justify-between gap-3 border-t border-rule-strong bg-paper px-4 py-2 sm:-mx-6 sm:px-6 lg:hidden">
      <p className="min-w-0 text-sm leading-tight">
        <b className="block font-semibold">
          {count} {count === 1 ? "race" : "races"} to come
        </b>
        {next ? (
          <span className="text-ink-2">
            <RaceDate date={raceCard.raceDate} />, {timeAt(next)}
          </span>
        ) : null}
      </p>
      <div className="shrink-0 whitespace-nowrap">
        <UnlockButton {...props}>
          <CardPrice />
        </UnlockButton>
      </div>
    </div>
  );
}

/** Returns the earliest known off of these races. */
function findFirstOff(races: readonly { offAt: Date | string | null }[]): Date | null {
  const times = races.flatMap(({ offAt }) => (offAt ? [new Date(offAt).getTime()] : []));
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

type ActionResult = NonNullable<Route.ComponentProps["actionData"]>;

/** The result of the form, for browsers without JavaScript. */
function UnlockMessage({
  result,
  raceCardId,
  idempotencyKey,
}: {
  result: ActionResult;
  raceCardId: string;
  idempotencyKey: string | null;
}) {
  if (result.ok) {
    return (
      <FormMessage type="success" title={result.title}>
        {result.message}
      </FormMessage>
    );
  }
  return (
    <FormMessage type={result.refusal === "races-run" ? "warning" : "error"} title={result.title}>
      {result.refusal === "too-few-coins" || result.refusal === "owing" ? (
        <ButtonLink
          to={`/buy-coins?card=${raceCardId}`}
          variant="coin"
          size="small"
          className="mt-2"
        >
          Buy Coins
        </ButtonLink>
      ) : null}
      {result.refusal === "races-run" ? (
        <Form method="post" className="mt-2">
          <input type="hidden" name="idempotencyKey" value={idempotencyKey ?? ""} />
          <input type="hidden" name="acknowledgedRacesRun" value={result.racesRun} />
          <Button type="submit" variant="coin" size="small">
            Open race card anyway
          </Button>
        </Form>
      ) : null}
    </FormMessage>
  );
}
