import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { appendToLog, startLog } from "#proof/proof.server.ts";
import { publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold, listViolations } from "#test/integrity-checks.ts";

const TIPS = "38-tips-are-in-the-log";
const LOG = "39-the-log-is-whole";

let client: Client;
let raceCardId: string;

beforeAll(async () => {
  await publishRaceCard({ races: [1] });
  await startLog();
  ({ raceCardId } = await publishRaceCard({ races: [1, 2, 3] }));
  await publishRaceCard({ races: [1, 2] });
  await appendToLog();
  // The superuser bypasses triggers and foreign keys, as an operator with a database console could.
  const url = new URL(inject("superuserUrl"));
  url.pathname = new URL(process.env.DATABASE_URL ?? "").pathname;
  client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query("set session_replication_role = replica");
});
afterAll(() => client.end());

const OF_RACE_2 = () =>
  `(select id from tips where race_card_id = '${raceCardId}' and race_number = 2)`;
const ENTRY_OF_RACE_2 = () =>
  `(select entry_index from tip_commitments where tip_id = ${OF_RACE_2()})`;
/** Replaces part of an entry without changing its length. */
const replaceInEntry = (from: string, to: string) =>
  `update proof_entries set body = convert_to(replace(convert_from(body, 'UTF8'), '${from}', '${to}'), 'UTF8')
   where entry_index = ${ENTRY_OF_RACE_2()}`;

const CASES: [string, () => string[], string[]][] = [
  [
    "a changed horse",
    () => [`update tips set horse_name = 'Winner' where id = ${OF_RACE_2()}`],
    [TIPS],
  ],
  [
    "a changed number",
    () => [`update tips set horse_number = 9 where id = ${OF_RACE_2()}`],
    [TIPS],
  ],
  [
    "a changed analysis",
    () => [`update tips set analysis = 'I said so.' where id = ${OF_RACE_2()}`],
    [TIPS],
  ],
  [
    "a changed tip type",
    () => [`update tips set tip_type = 'place' where id = ${OF_RACE_2()}`],
    [TIPS],
  ],
  [
    "a changed horse together with its reveal",
    () => [
      `update tips set horse_name = 'Winner' where id = ${OF_RACE_2()}`,
      `update tip_commitments set text = replace(text, 'Secret Horse 2', 'Winner')
       where tip_id = ${OF_RACE_2()}`,
    ],
    [TIPS],
  ],
  [
    "a changed salt",
    () => [`update tip_commitments set salt = sha256('') where tip_id = ${OF_RACE_2()}`],
    [TIPS],
  ],
  [
    "a tip that was not recorded within a minute",
    () => [
      "update proof_logs set started_at = started_at - interval '1 hour'",
      `update tips set published_at = published_at - interval '2 minutes' where id = ${OF_RACE_2()}`,
      `delete from tip_commitments where tip_id = ${OF_RACE_2()}`,
    ],
    [TIPS],
  ],
  [
    "no violation for a tip of the last minute",
    () => [`delete from tip_commitments where tip_id = ${OF_RACE_2()}`],
    [],
  ],
  ["a changed entry", () => [replaceInEntry('"race":2', '"race":4')], [TIPS, LOG]],
  [
    "a deleted entry",
    () => [`delete from proof_entries where entry_index = ${ENTRY_OF_RACE_2()}`],
    [TIPS, LOG],
  ],
  [
    "a deleted newest entry",
    () => ["delete from proof_entries where entry_index = (select size - 1 from proof_logs)"],
    [LOG],
  ],
  [
    "an inserted entry",
    () => [
      `insert into proof_entries (entry_index, body, appended_at)
       select size, '{"kind":"incident"}', now() from proof_logs`,
    ],
    [LOG],
  ],
  [
    "an entry without a checkpoint",
    () => ["delete from proof_checkpoints where size = (select size from proof_logs)"],
    [LOG],
  ],
  [
    "a creator's entry that is left out",
    () => [
      `delete from proof_creator_entries where entry_index = ${ENTRY_OF_RACE_2()}`,
      "update proof_creator_entries set seq = seq - 1 where seq = 3",
    ],
    [TIPS, LOG],
  ],
  [
    "a creator with a wrong newest entry",
    () => ["update proof_creators set last_hash = sha256('')"],
    [LOG],
  ],
];

it("hold for the log that the job appended", expectInvariantsToHold);

it.each(CASES)("report %s", async (_, corrupt, expected) => {
  const [full, recent] = await listViolations(client, corrupt, [TIPS, LOG]);
  // The newest entry is a tip or, after 10:55, the day's manifest.
  expect(full).toEqual(expected.length > 0 ? expect.arrayContaining(expected) : []);
  expect(recent.length > 0).toBe(expected.length > 0);
});
