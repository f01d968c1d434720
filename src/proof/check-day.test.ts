import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CalendarDate, instantAt } from "#domain/calendar.ts";
import { verifyLog } from "#domain/proof/verify-log.js";
import { freezeClock } from "#platform/clock.server.ts";
import { Browser } from "#test/browser.ts";
import { makeTipster, publishRaceCard } from "#test/factories.ts";
import { checkDay } from "./check-day.ts";
import { appendToLog, startLog } from "./proof.server.ts";

const FIRST_DAY = "2026-11-20";
const SECOND_DAY = "2026-11-21";

let requestedPaths: string[];

/** Stubs `fetch` with the files of the site, some of them changed. */
function serveFiles(changes: Record<string, (text: string) => string | number> = {}): void {
  requestedPaths = [];
  vi.stubGlobal("fetch", async (path: string) => {
    requestedPaths.push(path);
    const response = await new Browser().get(path);
    const change = Object.entries(changes).find(([name]) => path.includes(name))?.[1];
    if (!change) return response;
    const changed = change(await response.text());
    return typeof changed === "number"
      ? new Response("Something went wrong.", { status: changed })
      : new Response(changed);
  });
}

async function append(): Promise<void> {
  while ((await appendToLog()) > 0);
}

async function check(date: CalendarDate, at: Date) {
  freezeClock(at);
  return await checkDay(date, { verifyLog }, at);
}

const endOfSecondDay = instantAt(SECOND_DAY, "20:00");
const dayAfter = instantAt("2026-11-22", "09:00");

describe("the check of a day", () => {
  beforeAll(async () => {
    freezeClock(instantAt(FIRST_DAY, "08:00"));
    await startLog();
    const { id: creatorId } = await makeTipster();
    await publishRaceCard({ creatorId, raceDate: FIRST_DAY, races: [1, 2] });
    await append();
    freezeClock(instantAt(FIRST_DAY, "10:58"));
    await publishRaceCard({ creatorId, raceDate: SECOND_DAY, races: [1] });
    await append();
    freezeClock(instantAt(SECOND_DAY, "08:00"));
    await publishRaceCard({ creatorId, raceDate: SECOND_DAY, races: [2, 3], venue: "vaal" });
    await append();
    freezeClock(instantAt(SECOND_DAY, "11:30"));
    await append();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    freezeClock(null);
  });

  it("reports no findings, and loads the reveals of tips for a later day", async () => {
    serveFiles();
    expect(await check(FIRST_DAY, dayAfter)).toMatchObject({
      signaturesChecked: true,
      checkpoints: 2,
      tips: 3,
      due: 3,
      revealed: 3,
      findings: [],
    });
    expect(requestedPaths).toContain(`/proof/days/${SECOND_DAY}/reveals.jsonl`);
  });

  it("checks a later day without the entries before it", async () => {
    serveFiles();
    expect(await check(SECOND_DAY, dayAfter)).toMatchObject({
      tips: 2,
      due: 2,
      revealed: 2,
      findings: [],
    });
    expect(requestedPaths.filter((path) => path.includes(FIRST_DAY))).toEqual([]);
  });

  it("expects no reveals before the race day is over", async () => {
    serveFiles();
    expect(await check(SECOND_DAY, endOfSecondDay)).toMatchObject({
      tips: 2,
      due: 0,
      findings: [],
    });
  });

  it("leaves out entries that were appended today after its checkpoints were loaded", async () => {
    const withoutNewest = (text: string) => `${text.trim().split("\n").slice(0, -1).join("\n")}\n`;
    serveFiles({ "checkpoints.jsonl": withoutNewest });
    const today = await check(SECOND_DAY, endOfSecondDay);
    expect(today.findings).toEqual([]);
    const past = await check(SECOND_DAY, dayAfter);
    expect(past.findings.map(({ kind }) => kind)).toEqual(["unsigned"]);
    expect(today.entries).toBeLessThan(past.entries);
  });

  it.each([
    ["an entry", "entries.jsonl", (text: string) => text.replace("medium", "high"), "rewritten"],
    ["a line that is not JSON", "entries.jsonl", (text: string) => `x${text}`, "missing"],
    [
      "a missing entry",
      "entries.jsonl",
      (text: string) => text.slice(text.indexOf("\n") + 1),
      "truncated",
    ],
    [
      "a horse",
      "reveals.jsonl",
      (text: string) => text.replaceAll("Secret", "Secrte"),
      "not revealed",
    ],
    ["a missing reveal", "reveals.jsonl", () => "", "not revealed"],
    ["a key", "/proof/keys", (text: string) => text.replace("+", "x+"), "unsigned"],
    [
      "the entries before the day",
      "left-edge.jsonl",
      (text: string) => text.replace(/"hashes":\["./, '"hashes":["'),
      "rewritten",
    ],
    ["a tip that the site does not list", "tips.jsonl", () => "", "hidden"],
    [
      "a listed tip that is in no log",
      "tips.jsonl",
      (text: string) => text.replace(/"creator":"\w+","seq":\d+/, '"creator":null,"seq":null'),
      "never logged",
    ],
    ["a missing manifest", "/proof/files/", () => 404, "missing"],
  ])("reports %s", async (_, file, change, kind) => {
    serveFiles({ [file]: change });
    const { findings } = await check(SECOND_DAY, dayAfter);
    expect(findings.map((finding) => finding.kind)).toContain(kind);
  });

  it("names the entry that is not the one in the visitor's copy", async () => {
    const load = async () =>
      await (await new Browser().get(`/proof/days/${SECOND_DAY}/entries.jsonl`)).text();
    serveFiles();
    freezeClock(dayAfter);
    const kept = await load();
    const compare = async (copy: string) =>
      (await checkDay(SECOND_DAY, { verifyLog }, dayAfter, copy)).findings;
    expect(await compare(kept)).toEqual([]);
    const [first, second, ...rest] = kept.split("\n");
    const { index } = JSON.parse(second ?? "");
    expect(await compare([first, second?.replace("medium", "high"), ...rest].join("\n"))).toEqual([
      expect.objectContaining({ kind: "changed", index }),
    ]);
    expect(await compare([first, '{"entry":"x"}', second, ...rest].join("\n"))).toEqual([
      expect.objectContaining({ kind: "dropped", index }),
    ]);
  });

  it.each(["entries.jsonl", "reveals.jsonl", "tips.jsonl", "/proof/keys", "/proof/files/"])(
    "throws if %s cannot be loaded",
    async (file) => {
      serveFiles({ [file]: () => 503 });
      await expect(check(SECOND_DAY, dayAfter)).rejects.toThrow("503");
    },
  );
});
