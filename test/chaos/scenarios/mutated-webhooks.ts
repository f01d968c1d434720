import { createHmac } from "node:crypto";
import type { Random } from "#demo/random.ts";
import { signWebhook } from "#payments/stripe/gateway.server.ts";
import { eachAtOnce } from "#test/concurrency.ts";
import type { ProviderEvent } from "#test/fake-provider.ts";
import { creditsOf, deliver, startCheckout } from "../purchases.ts";
import { expectThat, type Trial } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { makePeople } from "../users.ts";

const COUNT = { quick: 100, full: 500 };
const AT_ONCE = 20;

type Letter = { body: string; signature: string };
type Mutation = (letter: Letter, dice: Random) => Letter;

const changeBody =
  (change: (body: string, dice: Random) => string): Mutation =>
  ({ body, signature }, dice) => ({ body: change(body, dice), signature });
const changeSignature =
  (change: (signature: string, dice: Random) => string): Mutation =>
  ({ body, signature }, dice) => ({ body, signature: change(signature, dice) });

/** What somebody who has seen a letter of the provider's, but not its secret, might make of it. */
const MUTATIONS: Mutation[] = [
  changeBody((body, dice) => {
    const at = dice.between(0, body.length - 1);
    return body.slice(0, at) + (body[at] === "x" ? "y" : "x") + body.slice(at + 1);
  }),
  changeBody((body, dice) => body.slice(0, dice.between(0, body.length - 1))),
  changeBody((body) => `${body} `),
  changeBody((body, dice) =>
    body.replace(/"amount_total":\d+/, `"amount_total":${dice.between(1, 9)}`),
  ),
  changeBody((body, dice) => body.replace(/evt_\w+/, `evt_${dice.between(1, 1e9)}`)),
  changeBody((body) => JSON.stringify(JSON.parse(body), null, 1)),
  changeSignature((signature, dice) => {
    const at = dice.between(signature.indexOf("v1=") + 3, signature.length - 1);
    const other = signature[at] === "0" ? "1" : "0";
    return signature.slice(0, at) + other + signature.slice(at + 1);
  }),
  changeSignature((signature, dice) =>
    signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) - dice.between(301, 90_000)}`),
  ),
  changeSignature((signature, dice) =>
    signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) + dice.between(301, 90_000)}`),
  ),
  changeSignature((signature) => signature.replace("v1=", "v0=")),
  changeSignature((signature) => signature.replace(/,v1=.*/, "")),
  changeSignature(() => ""),
  ({ body }, dice) => sign(body, `whsec_${dice.between(1, 1e9)}`, 0),
  // The right secret, but too long ago or not yet: a letter that was kept, or a clock that was set.
  ({ body }, dice) => sign(body, SECRET(), -dice.between(310, 90_000)),
  ({ body }, dice) => sign(body, SECRET(), dice.between(310, 90_000)),
];

const SECRET = () => process.env.STRIPE_WEBHOOK_SECRET ?? "";

function sign(body: string, secret: string, seconds: number): Letter {
  const at = Math.floor(Date.now() / 1000) + seconds;
  const digest = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  return { body, signature: `t=${at},v1=${digest}` };
}

/** Letters that only look like the provider's are refused, and nothing is written for them. */
export const mutatedWebhooks: Trial = {
  name: "mutated-webhooks",
  breakIt: async () => {}, // the secret is out: see below
  async run(arena) {
    const { broken, db, dice, provider, quick } = arena;
    const [buyer] = await makePeople(db, 1);
    if (!buyer) throw new Error("nobody buys");
    const sessionId = await startCheckout(arena, buyer);
    provider.pay(sessionId);
    const event: ProviderEvent = provider.event("checkout.session.completed", sessionId);
    const count = quick ? COUNT.quick : COUNT.full;
    const letters = Array.from({ length: count }, (_, index) => {
      const body = JSON.stringify(event);
      const mutate = MUTATIONS[index % MUTATIONS.length] as Mutation;
      const letter = mutate({ body, signature: signWebhook(body) }, dice);
      return broken ? { ...letter, signature: signWebhook(letter.body) } : letter;
    });
    const written = async () =>
      (await db.query("select count(*)::int as events from stripe_events")).rows[0]?.events;
    const before = await written();
    const answers = await eachAtOnce(letters, AT_ONCE, (letter) => deliver(arena, event, letter));
    const after = await written();
    const { purchases, coins } = await creditsOf(arena, sessionId);
    const problems: string[] = [];
    const statuses = tally(answers.map((answer) => answer.status));
    expectThat(
      problems,
      answers.every((each) => each.status === 400),
      `answers: ${statuses}`,
    );
    expectThat(problems, after === before, `${after - before} events were kept`);
    expectThat(problems, purchases === 0 && coins === 0, `${coins} coins were credited`);
    return {
      did: `${count} letters in ${MUTATIONS.length} ways not quite the provider's`,
      figure: `${after - before} written; ${statuses}`,
      problems,
    };
  },
};
