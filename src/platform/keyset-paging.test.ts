import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { pool } from "./database.server.ts";
import {
  addCursor,
  ascending,
  descending,
  formatCursor,
  parseCursor,
  parseIdPart,
  parseIntegerPart,
  toPage,
} from "./keyset-paging.server.ts";
import { listAlerts } from "./list-alerts.server.ts";
import { createQueryParts } from "./query-parts.server.ts";

const ID = "01234567-89ab-cdef-0123-456789abcdef";

describe("toPage", () => {
  const getCursor = (row: number) => `after ${row}`;

  it.each([
    ["the page is full and there is another row", [1, 2, 3], [1, 2], "after 2"],
    ["the last page is full", [1, 2], [1, 2], null],
    ["the last page is not full", [1], [1], null],
    ["there are no rows", [], [], null],
  ])("returns the rows and the next cursor when %s", (_condition, rows, page, next) => {
    expect(toPage(rows, 2, getCursor)).toEqual({ page, next });
  });
});

describe("parseCursor", () => {
  const parse = (text: string | null | undefined) =>
    parseCursor(text, parseIntegerPart(3), parseIdPart);

  it("returns the parts that formatCursor joined", () => {
    expect(parse(formatCursor(0, ID))).toEqual([0, ID]);
    expect(parse(formatCursor(999, ID))).toEqual([999, ID]);
  });

  it.each([
    undefined,
    null,
    "",
    "1",
    ID,
    `1_${ID}_2`,
    `1000_${ID}`,
    `-1_${ID}`,
    `1.5_${ID}`,
    `_${ID}`,
    `1_${ID}0`,
    `1_${ID} or true`,
  ])("returns null for %j", (text) => {
    expect(parse(text)).toBeNull();
  });
});

describe("addCursor", () => {
  const build = (order: typeof BY_NAME, cursor: string | null) => {
    const query = createQueryParts();
    addCursor(query, order, cursor, { from: "venues v", idColumn: "v.id" });
    return { where: query.where(), values: query.values };
  };
  const BY_NAME = ascending("v.name", "v.id");

  it("compares all columns of the order with the row that the cursor identifies", () => {
    expect(build(BY_NAME, ID)).toEqual({
      where: "where (v.name, v.id) > (select v.name, v.id from venues v where v.id = $1)",
      values: [ID],
    });
    const newest = descending("v.created_at", "v.id");
    expect(newest.orderBy).toBe("v.created_at desc, v.id desc");
    expect(build(newest, ID).where).toBe(
      "where (v.created_at, v.id) < (select v.created_at, v.id from venues v where v.id = $1)",
    );
  });

  it.each([null, "", "1", `${ID}'`])("adds nothing for the cursor %j", (cursor) => {
    expect(build(BY_NAME, cursor)).toEqual({ where: "", values: [] });
  });
});

describe("a list of rows with the same instant", () => {
  beforeAll(async () => {
    for (let index = 0; index < 4; index += 1)
      await pool().query(
        `insert into alerts (id, kind, subject, message, created_at)
         values ($1, 'job-failed', $2, 'failed', '2026-03-02T10:00:00Z')`,
        [randomUUID(), `job ${index}`],
      );
  });

  it("returns each row once, and no cursor after a full last page", async () => {
    const first = await listAlerts({ limit: 2 });
    const second = await listAlerts({ limit: 2, cursor: first.next });
    const subjects = [...first.alerts, ...second.alerts].map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(["job 0", "job 1", "job 2", "job 3"]);
    expect(second.next).toBeNull();
  });

  it("starts at the beginning when the cursor is malformed", async () => {
    expect(await listAlerts({ limit: 2, cursor: "malformed" })).toEqual(
      await listAlerts({ limit: 2 }),
    );
  });
});
