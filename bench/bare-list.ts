// The reference for a list: a bare server that reads twenty race cards by one prepared statement and
// sends them as JSON, filled up to the same number of bytes.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";

const [bytes = "0"] = process.argv.slice(2);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

async function readList() {
  const { rows } = await pool.query({
    name: "list",
    text: `select c.id, v.name as venue, c.race_date as date, k.display_name as tipster
      from race_cards c join venues v on v.id = c.venue_id join creators k on k.user_id = c.creator_id
      order by c.id desc limit 20`,
  });
  return rows;
}

const paddingBytes = Math.max(
  0,
  Number(bytes) - JSON.stringify({ raceCards: await readList() }).length,
);
const teaser = "x".repeat(Math.floor(paddingBytes / 20 - '"teaser":"",'.length));
const app = new Hono();
app.get("*", async (c) =>
  c.json({ raceCards: (await readList()).map((row) => ({ ...row, teaser })) }),
);
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.(port));
