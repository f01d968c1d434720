import { ask } from "../http-client.ts";
import { unlockUnguarded } from "../planted-faults.ts";
import { expectThat, type Trial } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { makePeople, makeRaceCards, makeTipsters } from "../users.ts";

const AT_ONCE = 200;

/**
 * One card two hundred times at once by one buyer, half of it over the JSON API and half by the form on
 * its page: it is paid for once, and everybody is shown it.
 */
export const oneCard: Trial = {
  name: "one-card",
  breakIt: ({ db }) => unlockUnguarded(db),
  async run({ db, web }) {
    const [buyer] = await makePeople(db, 1, 4000);
    const [card] = await makeRaceCards(db, await makeTipsters(db, 1));
    const cookie = buyer?.cookie;
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        index % 2 === 0
          ? ask(web.origin, `/api/race-cards/${card}/unlock`, { json: {}, cookie })
          : ask(web.origin, `/race-cards/${card}`, { form: { acknowledgedRacesRun: "0" }, cookie }),
      ),
    );
    const statuses = answers.map((answer) => answer.status);
    const { rows } = await db.query<{ sales: number; coins: number }>(
      `select (select count(*)::int from sales where buyer_id = $1) as sales,
         (select balance_coins from wallets where user_id = $1) as coins`,
      [buyer?.id],
    );
    const problems: string[] = [];
    const opened = statuses.filter((status) => status === 200).length;
    expectThat(problems, opened === AT_ONCE, `${opened} were shown the card`);
    expectThat(problems, rows[0]?.sales === 1, `${rows[0]?.sales} sales were written`);
    expectThat(problems, rows[0]?.coins === 3996, `${rows[0]?.coins} coins are left of 4,000`);
    return {
      did: `one card opened ${AT_ONCE} times at once, by API and by form`,
      figure: `${rows[0]?.sales} charge; ${tally(statuses)}`,
      problems,
    };
  },
};
