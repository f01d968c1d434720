import { data } from "react-router";
import { findTrack } from "#domain/tracks.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { readVenueSummaries } from "#racing/racing.server.ts";
import { countOnSale } from "#tips/tips.server.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Going } from "#ui/racing/going.tsx";
import { TrackOutline } from "#ui/racing/track-outline.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useMinute } from "#ui/use-minute.ts";
import type { Route } from "./+types/racing-tracks.page.ts";
import { MeetingStatus } from "./meeting-status.ui.tsx";

const CACHE_SECONDS = 60;

export const handle = { scriptStart: "minute" };

export async function loader() {
  const at = now();
  const [summaries, onSale] = await Promise.all([readVenueSummaries(at), countOnSale(at)]);
  const raceCardCounts = new Map(onSale.venues.map((venue) => [venue.venueId, venue.raceCards]));
  return data(
    {
      readAt: at,
      venues: summaries.map((venue) => ({
        ...venue,
        raceCardsOnSale: raceCardCounts.get(venue.id) ?? 0,
      })),
    },
    { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const names = loaderData?.venues.map((venue) => venue.name).join(", ");
  return publicMeta(matches, {
    title: "Racing tracks",
    description: `${names ? `${names}: track` : "Track"} outlines, characteristics, next meetings and race cards on sale.`,
    path: "/racing-tracks",
  });
}

export default function RacingTracks({ loaderData: { readAt, venues } }: Route.ComponentProps) {
  const current = useMinute(readAt);
  return (
    <>
      <PageHeading
        kicker="Racing"
        actions={
          <ButtonLink to="/results" variant="secondary">
            See results
          </ButtonLink>
        }
        lead="All tracks, drawn to one scale. Outlines are schematic. The arrow shows the direction of racing; the ring marks the winning post."
      >
        Racing tracks
      </PageHeading>
      {venues.length === 0 ? (
        <EmptyState title="No tracks yet">Tracks appear here once we have added them.</EmptyState>
      ) : (
        <ul className="mt-8 grid gap-4 md:grid-cols-2 lg:grid-cols-3">
          {venues.map((venue) => (
            <TrackPanel key={venue.slug} venue={venue} now={current} />
          ))}
        </ul>
      )}
    </>
  );
}

type ListedVenue = Route.ComponentProps["loaderData"]["venues"][number];

function TrackPanel({ venue, now: current }: { venue: ListedVenue; now: Date }) {
  const track = findTrack(venue.slug);
  return (
    <li className="flex flex-col rounded-md border border-rule bg-sheet">
      <div className="border-b border-rule px-4 pt-4 pb-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="font-cond text-2xl font-bold">
            <TextLink
              to={`/tracks/${venue.slug}`}
              className="text-ink no-underline hover:underline"
            >
              {venue.name}
            </TextLink>
          </h2>
          <span className="text-sm text-ink-2">{venue.location}</span>
        </div>
        {track ? <TrackOutline name={venue.name} labelled className="mt-3" /> : null}
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4">
        {track ? <p className="text-sm text-ink-2">{track.characteristics}</p> : null}
        <div className="mt-auto flex flex-col gap-1.5 border-t border-rule pt-3">
          <MeetingStatus venue={venue} now={current} />
          <div className="flex gap-2 text-sm">
            <span aria-hidden="true" className="text-ink-2">
              Going
            </span>
            <Going going={venue.today?.going ?? null} />
          </div>
        </div>
        <ButtonLink
          to={`/tracks/${venue.slug}`}
          variant={venue.raceCardsOnSale > 0 ? "primary" : "secondary"}
          wide
        >
          {venue.raceCardsOnSale > 0
            ? `${venue.raceCardsOnSale} race ${venue.raceCardsOnSale === 1 ? "card" : "cards"} on sale`
            : "See facts and past results"}
        </ButtonLink>
      </div>
    </li>
  );
}
