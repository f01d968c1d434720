import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { checkProof } from "#bin/proof/check-proof.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { parseTimestampResponse } from "#domain/proof/timestamp-response.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { appendToLog, startLog, timestampCheckpointsJob } from "#proof/proof.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { findTestVenue, makeTipster, publishRaceCard, reportOffTimes } from "#test/factories.ts";
import { FakeTimestampAuthority } from "#test/fake-timestamp-authority.ts";
import { serveProduct } from "#test/served-product.ts";

// Runs the command of bin/proof.ts on the log that the application serves.

afterEach(() => freezeClock(null));

async function run(...args: string[]) {
  const lines: string[] = [];
  const add = (line: string) => lines.push(line);
  const code = await checkProof(args, { print: add, printError: add, now: now() });
  return { code, lines };
}

it("reports no findings for the log of the application, before and after the race day", async () => {
  const raceDate = addDays(dateAt(now()), 2);
  freezeClock(instantAt(addDays(raceDate, -1), "07:00"));
  await startLog();
  const tipster = await makeTipster();
  await publishRaceCard({ creatorId: tipster.id, raceDate, races: [1, 2, 3] });
  await appendToLog();
  const address = await serveProduct();
  const before = await run(address);
  expect(before).toEqual({
    code: 0,
    lines: [expect.stringMatching(/1 checkpoints, \d+ creators; 3 tips, 0 due, 0 revealed$/)],
  });

  freezeClock(instantAt(raceDate, "10:56"));
  await publishRaceCard({ raceDate, races: [1] });
  await appendToLog(); // with the day's manifest
  freezeClock(instantAt(addDays(raceDate, 1), "08:00"));
  const root = mkdtempSync(join(tmpdir(), "furlong-proof-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "copy");
  const after = await run(address, folder);
  expect(after).toEqual({
    code: 0,
    lines: [expect.stringMatching(/2 checkpoints, \d+ creators; 4 tips, 4 due, 4 revealed$/)],
  });
  expect(await run(folder, "--kept", join(folder, "log/checkpoint"))).toMatchObject({ code: 0 });
});

it("saves the timestamps of authorities and prints how to check them", async () => {
  const raceDate = addDays(dateAt(now()), 6);
  freezeClock(instantAt(addDays(raceDate, -1), "07:00"));
  await startLog();
  const authority = new FakeTimestampAuthority("tsa.example", now);
  await authority.start();
  onTestFinished(() => authority.stop());
  const { timestampAuthorities } = env();
  Object.assign(env(), { timestampAuthorities: [authority] });
  onTestFinished(() => void Object.assign(env(), { timestampAuthorities }));
  const tipster = await makeTipster();
  await publishRaceCard({ creatorId: tipster.id, raceDate, races: [1, 2] });
  await reportOffTimes((await findTestVenue()).id, raceDate);
  await appendToLog();
  await timestampCheckpointsJob.run({}, { isLast: false });

  const address = await serveProduct();
  const root = mkdtempSync(join(tmpdir(), "furlong-proof-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "copy");
  const { code, lines } = await run(address, folder);
  expect(code).toBe(0);
  expect(lines[1]).toMatch(/^\d+ of \d+ tips were seen by a timestamp authority before the off/);
  const [, size] = /the newest of (\d+) entries/.exec(lines[2] ?? "") ?? [];
  const data = `${folder}/checkpoints/${size}/checkpoint`;
  const response = `${folder}/checkpoints/${size}/tsa.example.tsr`;
  expect(lines[2]).toContain(
    `openssl ts -verify -data ${data} -in ${response} -CAfile AUTHORITY.pem`,
  );
  const { digest } = parseTimestampResponse(readFileSync(response));
  expect(digest).toEqual(createHash("sha256").update(readFileSync(data)).digest());
  expect((await run(folder)).lines).toEqual(lines);
  expect((await run(address)).lines[2]).toContain("Add the name of a folder to keep them.");

  for (const path of [data, response].map((file) => file.slice(folder.length))) {
    const served = await sendAsGuest(`/proof${path}`);
    expect(served.headers.get("Cache-Control"), path).toContain("immutable");
  }
  for (const path of [
    "1/checkpoint",
    `${size}/other.example.tsr`,
    `${size}/..%2F.tsr`,
    "x/checkpoint",
  ])
    expect((await sendAsGuest(`/proof/checkpoints/${path}`)).status, path).toBe(404);
});
