import { sendRequest } from "../http-client.ts";
import { removeUnlockGuards } from "../inject-faults.ts";
import { expectThat, type Scenario } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { createRaceCards, createTipsters, createUsers } from "../users.ts";

const CONCURRENCY = 200;

/** Sends two hundred concurrent unlocks with enough coins for one: one succeeds, the rest are refused. */
export const oneWallet: Scenario = {
  name: "one-wallet",
  injectFault: ({ db }) => removeUnlockGuards(db),
  async run({ db, web }) {
    const [buyer] = await createUsers(db, 1, 4);
    const cards = await createRaceCards(db, await createTipsters(db, CONCURRENCY), { races: 3 });
    const responses = await Promise.all(
      cards.map((card) =>
        sendRequest(web.origin, `/api/race-cards/${card}/unlock`, {
          json: {},
          cookie: buyer?.cookie,
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
    const count = (status: number) => statuses.filter((received) => received === status).length;
    expectThat(problems, count(200) === 1, `${count(200)} responses report an unlock`);
    expectThat(
      problems,
      count(402) === CONCURRENCY - 1,
      `${count(402)} responses report too few coins`,
    );
    expectThat(problems, rows[0]?.sales === 1, `${rows[0]?.sales} sales were stored`);
    expectThat(problems, rows[0]?.coins === 0, `${rows[0]?.coins} coins remain of 4`);
    return {
      description: `${CONCURRENCY} concurrent unlocks with 4 coins`,
      measurement: `${rows[0]?.sales} sold; ${tally(statuses)}`,
      problems,
    };
  },
};
