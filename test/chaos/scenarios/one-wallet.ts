import { ask } from "../http-client.ts";
import { unlockUnguarded } from "../planted-faults.ts";
import { expectThat, type Trial } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { makePeople, makeRaceCards, makeTipsters } from "../users.ts";

const AT_ONCE = 200;

/** Two hundred cards at once with the coins for one: one is sold, all others are refused. */
export const oneWallet: Trial = {
  name: "one-wallet",
  breakIt: ({ db }) => unlockUnguarded(db),
  async run({ db, web }) {
    const [buyer] = await makePeople(db, 1, 4);
    const cards = await makeRaceCards(db, await makeTipsters(db, AT_ONCE), { races: 3 });
    const answers = await Promise.all(
      cards.map((card) =>
        ask(web.origin, `/api/race-cards/${card}/unlock`, { json: {}, cookie: buyer?.cookie }),
      ),
    );
    const statuses = answers.map((answer) => answer.status);
    const { rows } = await db.query<{ sales: number; coins: number }>(
      `select (select count(*)::int from sales where buyer_id = $1) as sales,
         (select balance_coins from wallets where user_id = $1) as coins`,
      [buyer?.id],
    );
    const problems: string[] = [];
    const count = (status: number) => statuses.filter((each) => each === status).length;
    expectThat(problems, count(200) === 1, `${count(200)} were told that it is open`);
    expectThat(problems, count(402) === AT_ONCE - 1, `${count(402)} were told of too few coins`);
    expectThat(problems, rows[0]?.sales === 1, `${rows[0]?.sales} sales were written`);
    expectThat(problems, rows[0]?.coins === 0, `${rows[0]?.coins} coins are left of 4`);
    return {
      did: `${AT_ONCE} cards opened at once with 4 coins`,
      figure: `${rows[0]?.sales} sold; ${tally(statuses)}`,
      problems,
    };
  },
};
