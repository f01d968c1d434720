import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { appendToLog, readLastAppendedAt, startLog } from "#proof/proof.server.ts";

/** When the log job would have run on each day: with the day's manifest, and after the next day's race cards. */
const TIMES = ["10:55", "21:30"];

/** Starts the log at the beginning of the demo's history, and appends missing entries as if the job had run. */
export async function makeLog(since: Date, at: Date): Promise<void> {
  await startLog(since);
  const first = (await readLastAppendedAt()) ?? since;
  const last = dateAt(at);
  for (let date: CalendarDate = dateAt(first); date <= last; date = addDays(date, 1))
    for (const time of TIMES) {
      const instant = instantAt(date, time);
      if (instant > first && instant < at) await record(instant);
    }
  await record(at);
}

async function record(instant: Date): Promise<void> {
  while ((await appendToLog(instant)) > 0);
}
