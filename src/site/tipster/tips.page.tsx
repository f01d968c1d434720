import { Form, useSearchParams, useSubmit } from "react-router";
import { isCalendarDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { type OwnTipState, readOwnTips, requireCreator } from "#tipping/tipping.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Pagination } from "#ui/pagination.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import type { Route } from "./+types/tips.page.ts";
import { cardsOfTips, OwnCard } from "./own-card.ui.tsx";

const STATES: readonly { value: OwnTipState | ""; label: string }[] = [
  { value: "", label: "All tips" },
  { value: "to-settle", label: "Waiting for W or L" },
  { value: "open", label: "Without a result" },
  { value: "won", label: "Won" },
  { value: "lost", label: "Lost" },
  { value: "void", label: "Void" },
];
const PAGE = 24;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "My Tips",
    description: "Your tips, newest race day first, and their results.",
    isPrivate: true,
  });

export async function loader({ context, request }: Route.LoaderArgs) {
  const creator = await requireCreator(context);
  const { searchParams } = new URL(request.url);
  const state = STATES.find((each) => each.value === searchParams.get("result"))?.value || null;
  const venueId = searchParams.get("venue") || null;
  const raceDate = searchParams.get("date") || null;
  const [{ tips, next }, venues] = await Promise.all([
    readOwnTips(creator.id, {
      at: now(),
      state,
      venueId,
      raceDate: raceDate && isCalendarDate(raceDate) ? raceDate : null,
      cursor: searchParams.get("cursor"),
      limit: PAGE,
    }),
    listVenues({ all: true }),
  ]);
  return {
    tips,
    next,
    venues: venues.map((venue) => ({ value: venue.id, label: venue.name })),
    isFiltered: Boolean(state || venueId || raceDate),
  };
}

/** A creator's tips by card, newest day first, with W and L where a race is over. */
export default function MyTips({ loaderData }: Route.ComponentProps) {
  const { tips, next, venues, isFiltered } = loaderData;
  const [search] = useSearchParams();
  const pageAt = (cursor: string | null) => {
    const to = new URLSearchParams(search);
    if (cursor) to.set("cursor", cursor);
    else to.delete("cursor");
    return `?${to}`;
  };
  return (
    <div className="grid gap-6">
      <Filters venues={venues} isFiltered={isFiltered} />
      {tips.length === 0 ? (
        <NoTips isFiltered={isFiltered} />
      ) : (
        cardsOfTips(tips).map((card) => <OwnCard key={card.raceCardId} card={card} />)
      )}
      <Pagination
        label="My Tips"
        newerHref={search.has("cursor") ? pageAt(null) : null}
        newerLabel="Newest"
        olderHref={next ? pageAt(next) : null}
      />
    </div>
  );
}

function Filters({
  venues,
  isFiltered,
}: {
  venues: { value: string; label: string }[];
  isFiltered: boolean;
}) {
  const [search] = useSearchParams();
  const submit = useSubmit();
  const hydrated = useHydrated();
  return (
    <Form
      key={search.toString()}
      onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
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
          <ButtonLink to="/tipster-dashboard" variant="quiet">
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
      Nothing of yours answers this filter.
    </EmptyState>
  ) : (
    <EmptyState
      drawing="raceCard"
      title="No tips found"
      action={<ButtonLink to="/tipster-dashboard/add">Add Daily Racing Tips</ButtonLink>}
    >
      Your first card takes a few minutes: one venue, one day, one to twelve races.
    </EmptyState>
  );
}
