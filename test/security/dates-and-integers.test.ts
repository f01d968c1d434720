import { beforeAll, describe, expect, it } from "vitest";
import { Browser } from "#test/browser.ts";
import { makeAdmin } from "#test/factories.ts";
import { createBrowserFor, createRecordOwners, type RecordOwners } from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// Well-formed days and integers that no column can hold, in each address that has such a parameter.

const PATH_PARAMETERS = ["date", "raceDate", "raceNumber", "size"];
const QUERIES = [
  "/?day=",
  "/api/race-cards?date=",
  "/tipsters/TIPSTER/tips?until=",
  "/my-cards?before=",
  "/profile?before=",
  "/tipster-dashboard/add?races=",
  "/tipster-dashboard/batch-day?venue=VENUE&date=",
  "/tipster-dashboard/tips?date=",
  "/tipster-dashboard/earnings?month=",
  "/admin/venues/VENUE/race-days?after=",
  "/admin/venues/VENUE/race-days?date=",
];

let owners: RecordOwners;
let guest: Browser;
let tipster: Browser;
let admin: Browser;

beforeAll(async () => {
  owners = await createRecordOwners();
  guest = new Browser();
  tipster = await createBrowserFor(owners.tipster);
  admin = await createBrowserFor(await makeAdmin());
});

describe.each(["0000-01-01", "9223372036854775808"])("%s", (value) => {
  it("is not a server error in a path", async () => {
    const failed: string[] = [];
    let count = 0;
    // One parameter at a time, because an invalid one hides the others.
    for (const name of PATH_PARAMETERS)
      for (const { path, method } of await listRunningEndpoints({ ...owners.ids, [name]: value })) {
        if (!path.includes(value)) continue;
        count += 1;
        const browser = selectBrowser(path);
        const response =
          method === "GET"
            ? await browser.get(path)
            : await browser.post(path, { confirmed: "yes" });
        if (response.status >= 500) failed.push(`${method} ${path}: ${response.status}`);
      }
    expect(count).toBeGreaterThan(10);
    expect(failed).toEqual([]);
  });

  it.each(QUERIES)("is not a server error in %s", async (query) => {
    const url = query
      .replace("VENUE", owners.ids.venueId ?? "")
      .replace("TIPSTER", owners.ids.slug ?? "");
    const response = await selectBrowser(url).get(url + value);
    expect(response.status).not.toBe(404);
    expect(response.status).toBeLessThan(500);
  });
});

function selectBrowser(path: string): Browser {
  if (path.startsWith("/admin")) return admin;
  return /^\/(tipster-dashboard|analyst|profile|my-cards)/.test(path) ? tipster : guest;
}
