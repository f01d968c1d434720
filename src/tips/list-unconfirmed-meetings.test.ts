import { afterEach, beforeEach, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import {
  createBatchInput,
  findTestVenue,
  makeAdmin,
  makeTipster,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { listUnconfirmedMeetings } from "./list-unconfirmed-meetings.server.ts";
import { publishBatch } from "./publishing/publish-batch.server.ts";
import { readPublicRaceCard } from "./race-card-previews.server.ts";
import { hideTip } from "./tip-visibility.server.ts";

const TODAY = "2026-11-21";

beforeEach(() => freezeClock(instantAt(TODAY, "08:00")));
afterEach(() => freezeClock(null));

const formatMeetings = async () =>
  (await listUnconfirmedMeetings(now())).map(
    ({ venueName, raceDate, raceCards, raceNumbers, isReported }) =>
      `${venueName} ${raceDate}: race cards ${raceCards}, ${isReported ? "races not on the reported day" : "unreported races"} ${raceNumbers}`,
  );

const readIsConfirmed = async (raceCardId: string) =>
  (await readPublicRaceCard(raceCardId, now()))?.isMeetingConfirmed;

it("lists races that are not on a reported race day, until the day is over", async () => {
  const vaal = await findTestVenue("vaal");
  const { raceCardId } = await publishRaceCard({ venue: "vaal", raceDate: TODAY, races: [1, 8] });
  await publishRaceCard({ venue: "vaal", raceDate: TODAY, races: [2] });
  const laterRaceCard = await publishRaceCard({
    venue: "vaal",
    raceDate: "2026-11-23",
    races: [1],
  });
  // Not listed: a reported race, a suspended tipster's race card and a hidden tip.
  await reportOffTimes((await findTestVenue("greyville")).id, TODAY);
  await publishRaceCard({ venue: "greyville", raceDate: TODAY, races: [1] });
  const admin = await makeAdmin();
  await suspendCreator(
    admin.id,
    (await publishRaceCard({ venue: "fairview", raceDate: TODAY })).creatorId,
  );
  const hidden = await publishRaceCard({ venue: "kenilworth", raceDate: TODAY, races: [1] });
  const { rows } = await pool().query("select id from tips where race_card_id = $1", [
    hidden.raceCardId,
  ]);
  await hideTip(admin.id, rows[0].id);

  expect(await formatMeetings()).toEqual([
    "Vaal 2026-11-21: race cards 2, unreported races 1,2,8",
    "Vaal 2026-11-23: race cards 1, unreported races 1",
  ]);
  expect(await readIsConfirmed(raceCardId)).toBe(false);

  await reportOffTimes(vaal.id, TODAY, { races: 6 });
  expect(await formatMeetings()).toEqual([
    "Vaal 2026-11-21: race cards 1, races not on the reported day 8",
    "Vaal 2026-11-23: race cards 1, unreported races 1",
  ]);
  expect(await readIsConfirmed(raceCardId)).toBe(true);
  expect(await readIsConfirmed(laterRaceCard.raceCardId)).toBe(false);

  freezeClock(instantAt("2026-11-23", "23:59"));
  expect(await formatMeetings()).toEqual(["Vaal 2026-11-23: race cards 1, unreported races 1"]);
  freezeClock(instantAt("2026-11-24"));
  expect(await formatMeetings()).toEqual([]);
});

it("refuses a race that is not on the reported race day", async () => {
  const { id: venueId } = await findTestVenue("scottsville");
  const { id: creatorId } = await makeTipster();
  await reportOffTimes(venueId, TODAY, { races: 6 });
  const publish = (races: number[], raceDate = TODAY) =>
    publishBatch(creatorId, createBatchInput({ venueId, raceDate, races }));
  expect(await publish([6, 7, 12])).toEqual({
    ok: false,
    refusal: "race-not-reported",
    raceNumbers: [7, 12],
  });
  expect(await publish([13])).toMatchObject({ refusal: "race-out-of-range" });
  expect(await publish([1, 6])).toMatchObject({ ok: true });
  // Every race number is accepted on a day without reported races.
  expect(await publish([7, 12], "2026-11-22")).toMatchObject({ ok: true });
});
