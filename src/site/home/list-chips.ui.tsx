import type { ReactNode } from "react";
import { Link } from "react-router";
import { addDays, type CalendarDate, formatDate } from "#domain/calendar.ts";
import { useDetailsMenu } from "#ui/use-details-menu.ts";
import { buildListPath, type ListFilter, SORTS, type Sort } from "./list-filter.ts";

type ListChipsProps = {
  today: CalendarDate;
  /** The day of the list. */
  date: CalendarDate;
  filter: ListFilter;
  days: readonly { date: CalendarDate; count: number; path: string }[];
  /** The tracks with race cards on this day. */
  tracks: readonly { slug: string; name: string; count: number }[];
  /** The selected track; null for all. */
  venue: { slug: string; name: string } | null;
};

const SORT_LABELS: Record<Sort, { label: string; chip?: string; note: string }> = {
  soonest: { label: "Soonest", note: "off first" },
  // The chip has to fit a narrow screen beside the others.
  record: { label: "Best record", chip: "Record", note: "best first" },
  here: { label: "Best here", chip: "Here", note: "best first" },
  confidence: { label: "Most confident", chip: "Confident", note: "HIGH first" },
};

/** The sticky row of links that select the day, the track and the order of the list. */
export function ListChips({ today, date, filter, days, tracks, venue }: ListChipsProps) {
  // More than two days do not fit a narrow screen beside the other chips, so they are a menu.
  const chips = days.length > 2 ? [] : days;
  const inMenu = days.length > 2 ? days : [];
  const sort = SORT_LABELS[filter.sort];
  return (
    <nav
      aria-label="Select race cards"
      className="sticky top-13 z-10 sm:top-14 border-b border-rule bg-paper"
    >
      <div className="relative mx-auto flex max-w-6xl flex-wrap gap-x-1 gap-y-2 sm:gap-x-1.5 px-4 py-1.5 sm:px-6 sm:py-2">
        {chips.map((day) => (
          <Link
            key={day.date}
            to={`${day.path}#race-cards`}
            discover="none"
            aria-current={day.date === date ? "true" : undefined}
            className="chip"
          >
            <b>{formatDay(day.date, today)}</b>
            <span>{formatCount(day.count)}</span>
          </Link>
        ))}
        {inMenu.length > 0 ? (
          <ChipMenu
            label={formatDay(date, today)}
            note={formatCount(days.find((day) => day.date === date)?.count ?? 0)}
          >
            {inMenu.map((day) => (
              <MenuLink
                key={day.date}
                to={day.path}
                label={formatDay(day.date, today)}
                note={formatCount(day.count)}
                isCurrent={day.date === date}
              />
            ))}
          </ChipMenu>
        ) : null}
        <ChipMenu
          label={venue?.name ?? "All tracks"}
          note={venue ? "track" : tracks.length === 1 ? "1 racing" : `${tracks.length} racing`}
        >
          <MenuLink
            to={buildListPath({ ...filter, venue: null, page: 1 })}
            label="All tracks"
            isCurrent={venue === null}
          />
          {tracks.map(({ slug, name, count }) => (
            <MenuLink
              key={slug}
              to={buildListPath({ ...filter, venue: slug, page: 1 })}
              label={name}
              note={formatCount(count)}
              isCurrent={venue?.slug === slug}
            />
          ))}
        </ChipMenu>
        <ChipMenu label={sort.chip ?? sort.label} note={sort.note}>
          {SORTS.map((option) => (
            <MenuLink
              key={option}
              to={buildListPath({ ...filter, sort: option, page: 1 })}
              label={SORT_LABELS[option].label}
              note={SORT_LABELS[option].note}
              isCurrent={filter.sort === option}
            />
          ))}
        </ChipMenu>
        {/* Has no room beside the others on a phone, where the link below the list leads there. */}
        <Link to="/results" discover="none" className="chip max-sm:hidden">
          <b>Results</b>
          <span>all tracks</span>
        </Link>
      </div>
    </nav>
  );
}

/** A chip that opens a menu of links. */
function ChipMenu({ label, note, children }: { label: string; note: string; children: ReactNode }) {
  const menu = useDetailsMenu();
  return (
    <details {...menu} name="list-menu" className="group min-w-0">
      <summary className="chip">
        <b>{label}</b>
        <span>{note}</span>
      </summary>
      <ul className="chip-list absolute inset-x-4 top-full z-10 max-h-[60vh] overflow-y-auto rounded-b-md border border-t-0 border-rule bg-sheet py-1 shadow-lift sm:inset-x-auto sm:w-72">
        {children}
      </ul>
    </details>
  );
}

function MenuLink({
  to,
  label,
  note,
  isCurrent = false,
}: {
  to: string;
  label: string;
  note?: string;
  isCurrent?: boolean;
}) {
  return (
    <li>
      <Link to={`${to}#race-cards`} discover="none" aria-current={isCurrent ? "true" : undefined}>
        {label}
        {note ? <span>{note}</span> : null}
      </Link>
    </li>
  );
}

/** Returns the name of a day within a sentence: today, tomorrow or 'Wed, 25 Nov'. */
export function formatDayInText(date: CalendarDate, today: CalendarDate): string {
  if (date === today) return "today";
  if (date === addDays(today, 1)) return "tomorrow";
  return formatDate(date, "short").replaceAll(" ", "\u00a0");
}

export function formatCount(count: number): string {
  return count === 1 ? "1 card" : `${count} cards`;
}

/** Returns the name of a day on a chip: Today or 'Wed 25'. */
export function formatDay(date: CalendarDate, today: CalendarDate): string {
  return date === today ? "Today" : formatDate(date, "short").replace(",", "").replace(/ \D+$/, "");
}
