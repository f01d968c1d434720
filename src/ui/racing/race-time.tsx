import { type CalendarDate, dateAt, formatDate, timeAt } from "#domain/calendar.ts";
import { classNames } from "#ui/class-names.ts";

type RaceTimeProps = {
  /** The off, `HH:MM` South African time; null when nobody has reported it. */
  time: string | null;
  /** Its calendar day, for machines. */
  date?: string;
  className?: string;
};

/** The off time of a race in tabular figures, or a dash read as 'time not reported'. */
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
  className?: string;
};

/** A calendar day in words: Sat, 21 Nov. */
export function RaceDate({ date, style = "short", className }: RaceDateProps) {
  return (
    <time dateTime={date} className={classNames("whitespace-nowrap", className)}>
      {formatDate(date, style).replaceAll(" ", "\u00a0")}
    </time>
  );
}

type MomentProps = {
  /** An instant; loaders may hand it on as an ISO string. */
  at: Date | string;
  style?: "long" | "short" | "plain";
  className?: string;
};

/** Day and time of an instant on the South African clock: 21 Nov 2026, 14:20. */
export function DateTime({ at, style = "plain", className }: MomentProps) {
  const instant = new Date(at);
  return (
    <time dateTime={instant.toISOString()} className={classNames("whitespace-nowrap", className)}>
      {formatDate(dateAt(instant), style).replaceAll(" ", "\u00a0")}, {timeAt(instant)}
    </time>
  );
}
