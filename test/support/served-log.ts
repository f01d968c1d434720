import { addDays, type CalendarDate, dateAt } from "#domain/calendar.ts";
import { formatTilePath, TILE_WIDTH } from "#domain/proof/tile-paths.ts";
import type { ListedTip, ProofLog, Reveal, Timestamp } from "#domain/proof/verify-log.js";
import { now } from "#platform/clock.server.ts";
import { sendAsGuest } from "./app.ts";

async function readText(path: string): Promise<string> {
  const response = await sendAsGuest(path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return await response.text();
}

/** Returns the lines of a day's file as objects. */
export async function readDayFile<Line>(date: CalendarDate, name: string): Promise<Line[]> {
  const text = await readText(`/proof/days/${date}/${name}`);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Downloads the public log from the application, as any visitor can. */
export async function readServedLog(): Promise<ProofLog> {
  const keys = (await readText("/proof/keys")).trim().split("\n");
  const size = Number((await readText("/proof/log/checkpoint")).split("\n")[1]);
  const entries = await readEntries(size);
  const parsed = entries.map((entry) => JSON.parse(entry));
  const days = listDays(parsed.map((entry) => dateAt(new Date(entry.at))));
  const raceDates = new Set<string>(parsed.flatMap((entry) => entry.date ?? []));
  const manifests = new Map<string, string>();
  for (const { kind, file } of parsed)
    if (kind === "manifest") manifests.set(file, await readText(`/proof/files/${file}`));
  const readDays = async <Line>(dates: Iterable<string>, name: string) => {
    const lines: Line[] = [];
    for (const date of dates) lines.push(...(await readDayFile<Line>(date, name)));
    return lines;
  };
  return {
    keys,
    entries,
    checkpoints: await readDays<ProofLog["checkpoints"][number]>(days, "checkpoints.jsonl"),
    timestamps: await readDays<Timestamp>(days, "timestamps.jsonl"),
    reveals: await readDays<Reveal>(raceDates, "reveals.jsonl"),
    tips: await readDays<ListedTip>(raceDates, "tips.jsonl"),
    names: await readDays<Reveal>(days, "creators.jsonl"),
    manifests,
    now: now().toISOString(),
    today: dateAt(now()),
  };
}

function listDays(dates: readonly CalendarDate[]): CalendarDate[] {
  const [first, last] = [dates[0] ?? "", dates.at(-1) ?? ""];
  const days: CalendarDate[] = [];
  for (let date = first; date <= last && date !== ""; date = addDays(date, 1)) days.push(date);
  return days;
}

async function readEntries(size: number): Promise<string[]> {
  const entries: string[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    const path = formatTilePath({ level: "entries", index, width });
    const bytes = Buffer.from(await (await sendAsGuest(`/proof/log/${path}`)).arrayBuffer());
    for (let offset = 0; offset < bytes.length; ) {
      const length = bytes.readUInt16BE(offset);
      entries.push(bytes.toString("utf8", offset + 2, offset + 2 + length));
      offset += 2 + length;
    }
  }
  return entries;
}
