import { setTimeout as sleep } from "node:timers/promises";
import { openCuttableWay } from "../../cuttable-way.ts";
import { comesTrue } from "../at-once.ts";
import { Load } from "../load.ts";
import { expectThat, type Trial } from "../trial.ts";
import { Web } from "../web.ts";

const SILENT_MS = 9_000;
/** So long until whoever waits is told: it takes a few seconds to know that no answer will come. */
const TELLS_WITHIN_MS = { quick: 15_000, full: 6_000 };
const BACK_WITHIN_MS = { quick: 30_000, full: 5_000 };

/**
 * The database takes every connection and question, and never answers again: whoever asks is told to come
 * later, soon, and what is new is answered as soon as it gets through.
 */
export const silentDatabase: Trial = {
  name: "silent-database",
  breakIt: async () => {}, // the one who notices is spared: see below
  async run(arena) {
    const { broken, database, environment, quick } = arena;
    const url = new URL(database.url);
    const way = await openCuttableWay({ host: url.hostname, port: Number(url.port) });
    url.port = String(way.port);
    const web = await Web.start({ ...environment, DATABASE_URL: url.href });
    const problems: string[] = [];
    try {
      const load = await Load.begin(arena, { origin: web.origin, payments: 5 });
      await comesTrue(() => load.told.length > 100, 20_000);
      const silentAt = performance.now();
      way.swallow(broken ? "furlong-listen" : undefined);
      await sleep(SILENT_MS);
      way.letThrough();
      const backAt = performance.now();
      const backWithin = quick ? BACK_WITHIN_MS.quick : BACK_WITHIN_MS.full;
      const isBack = await comesTrue(async () => (await load.open()).status === 200, backWithin);
      const backMs = Math.round(performance.now() - backAt);
      expectThat(problems, isBack, `no card could be opened for ${backWithin} ms`);
      await load.stop();
      problems.push(...load.faults(quick ? TELLS_WITHIN_MS.quick : TELLS_WITHIN_MS.full));
      problems.push(...(await load.lost()));
      expectThat(problems, web.ended === 0, `${web.ended} web processes ended`);
      const during = load.told.filter(({ at, ms }) => at > silentAt && at - ms < backAt);
      const refused = during.filter(({ status }) => status === 503);
      expectThat(problems, refused.length > 0, "nobody was refused while it was silent");
      const longest = Math.round(Math.max(0, ...during.map(({ ms }) => ms)));
      return {
        did: `a database that accepts and never answers, for ${SILENT_MS / 1000} s under load`,
        figure: `${refused.length} × 503, the longest wait ${longest} ms; first card ${backMs} ms after its return`,
        problems,
      };
    } finally {
      await way.close();
      await web.stop();
    }
  },
};
