import { timeAt } from "#domain/calendar.ts";
import { computeMeetingStatuses } from "#domain/race-day.ts";
import { type ListedVenue, VenuePanel } from "#racing/racing.ui.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";

type VenueGridProps = {
  venues: readonly ListedVenue[];
  /** Slug of the venue that filters the list, or null. */
  current: string | null;
  now: Date;
};

/** The venues with their status. Each links to its race cards. */
export function VenueGrid({ venues, current, now }: VenueGridProps) {
  const statuses = computeMeetingStatuses(
    venues.map((venue) => ({ offTimes: venue.today?.offTimes.map((off) => off.offAt) ?? [] })),
    now,
  ).map((status, index) => status ?? (venues[index]?.nextMeeting ? "upcoming" : null));
  return (
    <section aria-labelledby="venues">
      <SectionHeading
        id="venues"
        aside={
          <>
            <time className="font-cond font-bold text-ink">{timeAt(now)}</time>
            <span className="mr-4"> SAST</span>
            <TextLink
              to={LIST_PATH}
              preventScrollReset
              standalone
              aria-current={current === null ? "true" : undefined}
            >
              View All
            </TextLink>
          </>
        }
      >
        Racing Venues
      </SectionHeading>
      {venues.length === 0 ? (
        <EmptyState title="No venues yet">Tracks appear here once we have added them.</EmptyState>
      ) : (
        <ul className="venue-grid -mx-4 mt-3 flex snap-x scroll-px-4 gap-px overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:grid sm:grid-cols-2 sm:overflow-hidden sm:rounded-md sm:border sm:border-rule sm:bg-rule sm:px-0 lg:grid-cols-3">
          {venues.map((venue, index) => (
            <VenuePanel
              key={venue.slug}
              venue={venue}
              status={statuses[index] ?? null}
              now={now}
              to={current === venue.slug ? LIST_PATH : `/?venue=${venue.slug}#race-cards`}
              isCurrent={current === venue.slug}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
