import { type FormEvent, useEffect, useRef } from "react";
import { Form, useSearchParams } from "react-router";
import { requireCreator } from "#creators/creators.server.ts";
import { isCalendarDate } from "#domain/calendar.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import { now } from "#platform/clock.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Pagination } from "#ui/pagination.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import { useRefresh } from "#ui/use-refresh.ts";
import { type OwnTip, type OwnTipState, readOwnTips } from "../own-tips.server.ts";
import type { Route } from "./+types/tips.page.ts";
import { groupTipsByRaceCard, OwnRaceCard } from "./own-race-card.ui.tsx";

export { shouldRevalidate } from "./revalidate-after-result.ts";

const STATES: readonly { value: OwnTipState | ""; label: string }[] = [
  { value: "", label: "All tips" },
  { value: "to-settle", label: "Waiting for your result" },
  { value: "open", label: "No result yet" },
  { value: "won", label: "Won" },
  { value: "lost", label: "Lost" },
  { value: "void", label: "Void" },
];
const TIPS_PER_PAGE = 24;
const DAY_MS = 24 * 60 * 60 * 1000;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "My Tips",
    description: "Your tips, newest race day first, and their results.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const creator = await requireCreator(context);
  const at = now();
  const { searchParams } = new URL(request.url);
  const state = STATES.find((each) => each.value === searchParams.get("result"))?.value || null;
  const venueId = searchParams.get("venue") || null;
  const raceDate = searchParams.get("date") || null;
  const [{ tips, next }, venues] = await Promise.all([
    readOwnTips(creator.id, {
      at,
      state,
      venueId,
      raceDate: raceDate && isCalendarDate(raceDate) ? raceDate : null,
      cursor: searchParams.get("cursor"),
      limit: TIPS_PER_PAGE,
    }),
    listVenues({ includesInactive: true }),
  ]);
  return {
    tips,
    next,
    opensInMs: computeMsUntilSettleable(tips, at),
    venues: venues.map((venue) => ({ value: venue.id, label: venue.name })),
    isFiltered: Boolean(state || venueId || raceDate),
  };
}

/** Returns the time until the next of these tips can be settled; null if none can be today. */
function computeMsUntilSettleable(tips: readonly OwnTip[], at: Date): number | null {
  const delays = tips
    .filter((tip) => tip.result === null && !tip.canSettle)
    .map((tip) => computeSettleableAt(tip.raceDate, tip.offAt).getTime() - at.getTime())
    .filter((delay) => delay > 0 && delay < DAY_MS);
  return delays.length > 0 ? Math.min(...delays) : null;
}

/** A creator's tips by race card, newest day first, with W and L for races that are over. */
export default function MyTips({ loaderData }: Route.ComponentProps) {
  const { tips, next, venues, isFiltered } = loaderData;
  useRefreshAtNextOff(loaderData);
  const listProps = useFocusAfterResult(tips);
  const [search] = useSearchParams();
  const buildPageUrl = (cursor: string | null) => {
    const params = new URLSearchParams(search);
    if (cursor) params.set("cursor", cursor);
    else params.delete("cursor");
    return `?${params}`;
  };
  return (
    <div {...listProps} className="grid gap-6">
      <Filters venues={venues} isFiltered={isFiltered} />
      {tips.length === 0 ? (
        <NoTips isFiltered={isFiltered} />
      ) : (
        groupTipsByRaceCard(tips).map((card) => <OwnRaceCard key={card.raceCardId} card={card} />)
      )}
      <Pagination
        label="My Tips"
        newerHref={search.has("cursor") ? buildPageUrl(null) : null}
        newerLabel="Newest"
        olderHref={next ? buildPageUrl(next) : null}
      />
    </div>
  );
}

/** Refreshes the page at the next off time, so that W and L appear. */
function useRefreshAtNextOff(loaderData: { opensInMs: number | null }): void {
  const refresh = useRefresh();
  useEffect(() => {
    const { opensInMs } = loaderData;
    if (opensInMs === null) return;
    const timer = setTimeout(refresh, opensInMs + 500);
    return () => clearTimeout(timer);
  }, [loaderData, refresh]);
}

/**
 * Moves the focus after a submitted result, because its buttons disappear: to the result, or to the
 * next W if a filter removes the tip from the list.
 */
function useFocusAfterResult(tips: readonly OwnTip[]) {
  const ref = useRef<HTMLDivElement>(null);
  const submittedTipId = useRef<string | null>(null);
  useEffect(() => {
    const tipId = submittedTipId.current;
    if (!tipId || tips.some((tip) => tip.id === tipId && tip.canSettle)) return;
    submittedTipId.current = null;
    const selectors = [`[data-result="${tipId}"]`, "button[value=won]"];
    for (const selector of selectors) {
      const element = ref.current?.querySelector<HTMLElement>(selector);
      if (element) return element.focus();
    }
  }, [tips]);
  const onSubmit = ({ target }: FormEvent<HTMLDivElement>) => {
    const tipId = new FormData(target as HTMLFormElement).get("tipId");
    if (typeof tipId === "string") submittedTipId.current = tipId;
  };
  return { ref, onSubmit };
}

function Filters({
  venues,
  isFiltered,
}: {
  venues: { value: string; label: string }[];
  isFiltered: boolean;
}) {
  const [search] = useSearchParams();
  const hydrated = useHydrated();
  return (
    <Form
      key={search.toString()}
      preventScrollReset
      onChange={(event) => event.currentTarget.requestSubmit()}
      className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[12rem_11rem_13rem_auto]"
    >
      <SelectField
        label="Venue"
        name="venue"
        placeholder="All venues"
        defaultValue={search.get("venue") ?? ""}
        options={venues}
      />
      <TextField
        label="Race date"
        name="date"
        type="date"
        defaultValue={search.get("date") ?? ""}
      />
      <SelectField
        label="Result"
        name="result"
        defaultValue={search.get("result") ?? ""}
        options={STATES}
        className="col-span-2 sm:col-span-1"
      />
      <div className="col-span-2 flex gap-2 empty:hidden sm:col-span-1">
        {hydrated ? null : (
          <Button type="submit" variant="secondary">
            Filter
          </Button>
        )}
        {isFiltered ? (
          <ButtonLink to="/tipster-dashboard/tips" variant="quiet">
            Show all
          </ButtonLink>
        ) : null}
      </div>
    </Form>
  );
}

function NoTips({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState drawing="paddock" title="No tips found" compact>
      None of your tips match this filter.
    </EmptyState>
  ) : (
    <EmptyState
      drawing="raceCard"
      title="No tips found"
      action={<ButtonLink to="/tipster-dashboard/add">Add Daily Racing Tips</ButtonLink>}
    >
      Publish your first race card: one venue, one day, 1 to 12 races.
    </EmptyState>
  );
}
