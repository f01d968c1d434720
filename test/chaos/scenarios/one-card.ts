import { sendRequest } from "../http-client.ts";
import { removeUnlockGuards } from "../inject-faults.ts";
import { expectThat, type Scenario } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { createRaceCards, createTipsters, createUsers } from "../users.ts";

const CONCURRENCY = 200;

/**
 * One buyer unlocks one race card in two hundred concurrent requests, half by the JSON API and half
 * by the form: it is charged once and every response shows it.
 */
export const oneCard: Scenario = {
  name: "one-card",
  injectFault: ({ db }) => removeUnlockGuards(db),
  async run({ db, web }) {
    const [buyer] = await createUsers(db, 1, 4000);
    const [card] = await createRaceCards(db, await createTipsters(db, 1));
    const cookie = buyer?.cookie;
    const responses = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, index) =>
        index % 2 === 0
          ? sendRequest(web.origin, `/api/race-cards/${card}/unlock`, { json: {}, cookie })
          : sendRequest(web.origin, `/race-cards/${card}`, {
              form: { acknowledgedRacesRun: "0" },
              cookie,
            }),
      ),
    );
    const statuses = responses.map((response) => response.status);
    const { rows } = await db.query<{ sales: number; coins: number }>(
      `select (select count(*)::int from sales where buyer_id = $1) as sales,
         (select balance_coins from wallets where user_id = $1) as coins`,
      [buyer?.id],
    );
    const problems: string[] = [];
    const succeeded = statuses.filter((status) => status === 200).length;
    expectThat(problems, succeeded === CONCURRENCY, `${succeeded} responses show the race card`);
    expectThat(problems, rows[0]?.sales === 1, `${rows[0]?.sales} sales were stored`);
    expectThat(problems, rows[0]?.coins === 3996, `${rows[0]?.coins} coins remain of 4,000`);
    return {
      description: `one race card unlocked by ${CONCURRENCY} concurrent requests, by API and by form`,
      measurement: `${rows[0]?.sales} charge; ${tally(statuses)}`,
      problems,
    };
  },
};
