import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import routes from "#routes.ts";
import { Browser } from "#test/browser.ts";
import { findTestVenue, makeUser, publishRaceCard } from "#test/factories.ts";
import { cachedPageParams } from "./cached-pages.ts";

type Route = { path?: string; file: string; children?: Route[] };

/**
 * Returns every page with its path and the files that can set its headers: its own and its
 * layouts'.
 */
function listPages(entries: readonly Route[], parentPath = "", parentFiles: string[] = []) {
  return entries.flatMap((route): { path: string; files: string[] }[] => {
    const path = `${parentPath}${route.path ? `/${route.path}` : ""}`;
    const files = [...parentFiles, `src/${route.file}`];
    return route.children ? listPages(route.children, path, files) : [{ path: path || "/", files }];
  });
}

/** The pages with a cache header of their own or of their layout, without those that forbid it. */
const guestPages = listPages(routes as Route[]).filter(({ files }) => {
  const sources = files.map((file) => readFileSync(file, "utf8"));
  return (
    sources.some((source) => source.includes("s-maxage")) && !sources.at(-1)?.includes('"no-store"')
  );
});

it("lists every page that sends a cache header", () => {
  expect(guestPages.length).toBeGreaterThan(15);
  for (const { path } of guestPages)
    expect(cachedPageParams(path.replace(/:\w+/, "an-id")), path).not.toBeNull();
});

it("lists every query parameter that a cached page reads", () => {
  let parameterCount = 0;
  for (const { path, files } of guestPages) {
    const text = files.map((file) => readFileSync(file, "utf8")).join("");
    const parsers = {
      parseRankingFilter: "src/records/rankings/ranking-filter.ts",
      parseListFilter: "src/site/home/list-filter.ts",
    };
    const source = Object.entries(parsers)
      .filter(([parser]) => text.includes(parser))
      .reduce((all, [, file]) => all + readFileSync(file, "utf8"), text);
    const matches = [
      ...source.matchAll(/(?:searchParams|search|params)\.(?:get|has)\("([\w-]+)"\)/g),
    ];
    parameterCount += matches.length;
    for (const [, name] of matches)
      expect(cachedPageParams(path.replace(/:\w+/, "an-id")), `${name} of ${path}`).toContain(name);
  }
  expect(parameterCount).toBeGreaterThanOrEqual(12);
});

it.each([
  "/HELP",
  "/help/",
  "/race-cards/0190-A",
  "/race-cards/an-id/more",
  "/tipsters/%61",
  "/tipsters/",
  "/success",
  "/reset-password",
  "/constructor",
])("does not cache %s", (path) => {
  expect(cachedPageParams(path)).toBeNull();
});

it("caches one copy for guests for any unknown parameters, none for signed-in users", async () => {
  const { raceCardId } = await publishRaceCard();
  const venue = await findTestVenue("vaal");
  const paths = [
    "/",
    "/login",
    "/leaderboard",
    `/race-cards/${raceCardId}`,
    `/tracks/${venue.slug}`,
  ];
  const signedInBrowser = new Browser();
  signedInBrowser.applyCookies(await startSession((await makeUser()).id));
  for (const path of paths) {
    const etag = (response: Response) => response.headers.get("ETag");
    const guestResponse = await new Browser().get(path);
    expect(guestResponse.headers.get("Cache-Control"), path).toBe("private, no-cache");
    expect(etag(await new Browser().get(`${path}?invented=${path.length}`)), path).toBe(
      etag(guestResponse),
    );
    const signedInResponse = await signedInBrowser.get(path);
    expect([signedInResponse.headers.get("Cache-Control"), etag(signedInResponse)], path).toEqual([
      "no-store",
      null,
    ]);
  }
});

it("renders a page for each value of a known parameter", async () => {
  const browser = new Browser();
  const readPageText = async (path: string) => await (await browser.get(path)).text();
  expect(await readPageText("/login")).toContain("<title>Login | Furlong</title>");
  expect(await readPageText("/top-analysts?kind=tipster")).not.toBe(
    await readPageText("/top-analysts"),
  );
  expect(await readPageText("/?venue=vaal")).toContain(
    "<title>Race cards for Vaal | Furlong</title>",
  );
  expect(await readPageText("/?invented=1&venue=vaal")).toContain(
    "<title>Race cards for Vaal | Furlong</title>",
  );
  expect(await readPageText("/help?cancelled")).toContain(
    "Payment cancelled. You have not been charged.",
  );
  expect(await readPageText("/help")).not.toContain(
    "Payment cancelled. You have not been charged.",
  );
});
