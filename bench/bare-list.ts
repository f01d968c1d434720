// The reference for a list: a bare server that reads the same race cards by one prepared statement and
// sends them as JSON.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const app = new Hono();
app.get("*", async (c) => {
  const { rows } = await pool.query({
    name: "list",
    text: `select c.id, v.name as venue, c.race_date as date, k.display_name as tipster, o.tips
      from race_cards c join venues v on v.id = c.venue_id join creators k on k.user_id = c.creator_id
      cross join lateral (
        select json_agg(json_build_object('raceNumber', t.race_number,
            'offAt', coalesce(r.off_at, t.entered_off_at), 'tipType', t.tip_type,
            'confidence', t.confidence) order by t.race_number) as tips,
          coalesce(max(coalesce(r.off_at, t.entered_off_at)),
            (c.race_date + time '18:00') at time zone 'Africa/Johannesburg') as closes_at
        from tips t left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
          and r.race_number = t.race_number
        where t.race_card_id = c.id and t.hidden_at is null) o
      where c.race_date >= $1::date and k.suspended_at is null and o.closes_at > $2
      order by o.closes_at, c.id limit 21`,
    values: [new Date().toISOString().slice(0, 10), new Date()],
  });
  return c.json({ raceCards: rows.slice(0, 20) });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.(port));
