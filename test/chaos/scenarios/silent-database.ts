import { setTimeout as sleep } from "node:timers/promises";
import { comesTrue } from "#test/concurrency.ts";
import { openTcpProxy } from "#test/tcp-proxy.ts";
import { Load, type Told } from "../load.ts";
import { Web } from "../product-server.ts";
import { expectThat, type Trial } from "../scenario.ts";

const SILENT_MS = 9_000;
/** So long until whoever waits is told: it takes a few seconds to know that no answer will come. */
const TELLS_WITHIN_MS = { quick: 15_000, full: 6_000 };
const BACK_WITHIN_MS = { quick: 30_000, full: 5_000 };

/** The one that looks after the others. */
const LISTENING = "furlong-listen";

/**
 * The database takes every connection and question, and never answers again; later it answers, but for
 * what was open by then. Whoever asks is told to come later, soon, and what is new is answered as soon as
 * it gets through.
 */
export const silentDatabase: Trial = {
  name: "silent-database",
  async breakIt({ db, database }) {
    // Who notices that all is silent is spared, see below; and whatever it asks about is at work.
    await db.query(
      `create view public.pg_stat_activity as select pid, 'active' as state, '' as wait_event
       from pg_catalog.pg_stat_activity`,
    );
    await db.query("grant select on public.pg_stat_activity to public");
    await db.query(`alter database ${database.name} set search_path = public, pg_catalog`);
  },
  async run(arena) {
    const { broken, database, environment, quick } = arena;
    const url = new URL(database.url);
    const way = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(way.port);
    const web = await Web.start({ ...environment, DATABASE_URL: url.href });
    const problems: string[] = [];
    try {
      const load = await Load.begin(arena, { origin: web.origin, payments: 5 });
      await comesTrue(() => load.told.length > 100, 20_000);
      const silentAt = performance.now();
      way.swallow(broken ? LISTENING : undefined);
      await sleep(SILENT_MS);
      way.letThrough();
      const backAt = performance.now();
      const backWithin = quick ? BACK_WITHIN_MS.quick : BACK_WITHIN_MS.full;
      const isBack = await comesTrue(async () => (await load.open()).status === 200, backWithin);
      const backMs = Math.round(performance.now() - backAt);
      expectThat(problems, isBack, `no card could be opened for ${backWithin} ms`);
      await comesTrue(() => openedSince(load, backAt) > 100, backWithin);
      const partlySilentAt = performance.now();
      way.swallow(LISTENING);
      way.letThrough();
      await sleep(SILENT_MS);
      await load.stop();
      problems.push(...load.faults(quick ? TELLS_WITHIN_MS.quick : TELLS_WITHIN_MS.full));
      problems.push(...(await load.lost()));
      expectThat(problems, web.ended === 0, `${web.ended} web processes ended`);
      const all = refused(load, silentAt, backAt);
      const some = refused(load, partlySilentAt, Number.POSITIVE_INFINITY);
      expectThat(problems, all.length > 0, "nobody was refused while it was silent");
      expectThat(problems, some.length > 0, "nobody was refused on what stayed silent");
      return {
        did: `a database that accepts and never answers, for ${SILENT_MS / 1000} s under load; then what was open silent alone`,
        figure: `${all.length} × 503 after at most ${longest(all)} ms, first card ${backMs} ms after its return; ${some.length} × 503 after at most ${longest(some)} ms`,
        problems,
      };
    } finally {
      await way.close();
      await web.stop();
    }
  },
};

function openedSince(load: Load, since: number): number {
  return load.told.filter(({ at, status }) => status === 200 && at > since).length;
}

function refused(load: Load, from: number, to: number): Told[] {
  return load.told.filter(({ status, at, ms }) => status === 503 && at > from && at - ms < to);
}

function longest(told: Told[]): number {
  return Math.round(Math.max(0, ...told.map(({ ms }) => ms)));
}
