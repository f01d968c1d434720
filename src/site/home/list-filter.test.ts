import { describe, expect, it } from "vitest";
import { LIST_PATH } from "#ui/list-path.ts";
import { buildListPath, LIST_PARAMETERS, parseListFilter } from "./list-filter.ts";

const TODAY = "2026-11-21";
const parse = (query: string) => parseListFilter(new URLSearchParams(query), TODAY);
const DEFAULTS = { day: null, venue: null, sort: "soonest", page: 1, board: "record" };

describe("the filter of the home page", () => {
  it("reads day, track, order, page and board", () => {
    expect(parse("day=2026-11-22&venue=kenilworth&sort=here&page=3&board=sales")).toEqual({
      day: "2026-11-22",
      venue: "kenilworth",
      sort: "here",
      page: 3,
      board: "sales",
    });
    expect(parse("")).toEqual(DEFAULTS);
  });

  it.each([
    "day=2026-11-20",
    "day=2026-12-06",
    "day=2026-02-30",
    "day=today",
    "venue=Kenilworth%20Race",
    `venue=${"x".repeat(81)}`,
    "sort=best",
    "sort=constructor",
    "page=0",
    "page=-1",
    "page=1e3",
    "page=99999999",
    "board=tips",
    "day=&venue=&sort=&page=&board=",
    "after=1795514400000_x",
  ])("replaces the unknown value of %s by the default", (query) => {
    expect(parse(query)).toEqual(DEFAULTS);
  });

  it("accepts the days on which race cards can be on sale", () => {
    expect(parse("day=2026-11-21").day).toBe("2026-11-21");
    expect(parse("day=2026-12-05").day).toBe("2026-12-05");
  });

  it("is written as the shortest URL that is parsed as the same filter", () => {
    for (const query of [
      "",
      "day=2026-11-22",
      "venue=vaal&sort=confidence",
      "day=2026-11-22&venue=vaal&sort=record&page=2&board=sales",
    ]) {
      const path = buildListPath(parse(query));
      expect(path).toBe(query ? `/?${query}` : LIST_PATH);
      expect(parse(path.slice(2))).toEqual(parse(query));
    }
  });

  it("names every parameter that is part of the URL", () => {
    const path = buildListPath({
      day: TODAY,
      venue: "vaal",
      sort: "here",
      page: 2,
      board: "sales",
    });
    expect([...new URLSearchParams(path.slice(2)).keys()]).toEqual([...LIST_PARAMETERS]);
  });
});
