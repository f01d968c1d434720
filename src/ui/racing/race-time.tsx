import { type CalendarDate, dateAt, formatDate, timeAt } from "#domain/calendar.ts";
import { classNames } from "#ui/class-names.ts";

type RaceTimeProps = {
  /** The off time, `HH:MM` in South African time; null when not reported. */
  time: string | null;
  /** The calendar day, for the `datetime` attribute. */
  date?: string;
  className?: string;
};

/** The off time of a race, or a dash read as 'time not reported'. */
export function RaceTime({ time, date, className }: RaceTimeProps) {
  if (time === null) {
    return (
      <span className={classNames("font-cond text-ink-3", className)} title="Time not reported">
        <span aria-hidden="true">–</span>
        <span className="sr-only">time not reported</span>
      </span>
    );
  }
  return (
    <time
      dateTime={date ? `${date}T${time}:00+02:00` : time}
      className={classNames("font-cond font-semibold", className)}
    >
      {time}
    </time>
  );
}

type RaceDateProps = {
  date: CalendarDate;
  style?: "long" | "short" | "plain";
  /** Omits the day of the week on a phone. */
  hasShortForm?: boolean;
  className?: string;
};

/** A formatted calendar day: Sat, 21 Nov. */
export function RaceDate({
  date,
  style = "short",
  hasShortForm = false,
  className,
}: RaceDateProps) {
  const text = formatDate(date, style).replaceAll(" ", "\u00a0");
  const weekdayLength = hasShortForm ? text.indexOf(",") + 2 : 0;
  return (
    <time dateTime={date} className={classNames("whitespace-nowrap", className)}>
      {hasShortForm ? <span className="max-sm:hidden">{text.slice(0, weekdayLength)}</span> : null}
      {text.slice(weekdayLength)}
    </time>
  );
}

type DateTimeProps = {
  /** An instant, or an ISO string from a loader. */
  at: Date | string;
  style?: "long" | "short" | "plain";
  /** Omits the year on a phone. */
  hasShortForm?: boolean;
  className?: string;
};

/** The South African date and time of an instant: 21 Nov 2026, 14:20. */
export function DateTime({ at, style = "plain", hasShortForm = false, className }: DateTimeProps) {
  const instant = new Date(at);
  const text = formatDate(dateAt(instant), style).replaceAll(" ", "\u00a0");
  const yearAt = hasShortForm ? text.lastIndexOf("\u00a0") : text.length;
  return (
    <time dateTime={instant.toISOString()} className={classNames("whitespace-nowrap", className)}>
      {text.slice(0, yearAt)}
      {hasShortForm ? <span className="max-sm:hidden">{text.slice(yearAt)}</span> : null},{" "}
      {timeAt(instant)}
    </time>
  );
}
