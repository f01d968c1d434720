import { createHmac } from "node:crypto";
import type { Random } from "#demo/random.ts";
import { signWebhook } from "#payments/stripe/gateway.server.ts";
import { mapConcurrently } from "#test/concurrency.ts";
import type { ProviderEvent } from "#test/fake-provider.ts";
import { deliver, readCredits, startCheckout } from "../purchases.ts";
import { expectThat, type Scenario } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { createUsers } from "../users.ts";

const COUNT = { quick: 100, full: 500 };
const CONCURRENCY = 20;

type SignedRequest = { body: string; signature: string };
type Mutation = (request: SignedRequest, random: Random) => SignedRequest;

const changeBody =
  (change: (body: string, random: Random) => string): Mutation =>
  ({ body, signature }, random) => ({ body: change(body, random), signature });
const changeSignature =
  (change: (signature: string, random: Random) => string): Mutation =>
  ({ body, signature }, random) => ({ body, signature: change(signature, random) });

/** Changes that an attacker could make who has seen a signed request but not the secret. */
const MUTATIONS: Mutation[] = [
  changeBody((body, random) => {
    const at = random.between(0, body.length - 1);
    return body.slice(0, at) + (body[at] === "x" ? "y" : "x") + body.slice(at + 1);
  }),
  changeBody((body, random) => body.slice(0, random.between(0, body.length - 1))),
  changeBody((body) => `${body} `),
  changeBody((body, random) =>
    body.replace(/"amount_total":\d+/, `"amount_total":${random.between(1, 9)}`),
  ),
  changeBody((body, random) => body.replace(/evt_\w+/, `evt_${random.between(1, 1e9)}`)),
  changeBody((body) => JSON.stringify(JSON.parse(body), null, 1)),
  changeSignature((signature, random) => {
    const at = random.between(signature.indexOf("v1=") + 3, signature.length - 1);
    const other = signature[at] === "0" ? "1" : "0";
    return signature.slice(0, at) + other + signature.slice(at + 1);
  }),
  changeSignature((signature, random) =>
    signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) - random.between(301, 90_000)}`),
  ),
  changeSignature((signature, random) =>
    signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) + random.between(301, 90_000)}`),
  ),
  changeSignature((signature) => signature.replace("v1=", "v0=")),
  changeSignature((signature) => signature.replace(/,v1=.*/, "")),
  changeSignature(() => ""),
  ({ body }, random) => sign(body, `whsec_${random.between(1, 1e9)}`, 0),
  // Valid signatures with an expired or future timestamp, as in a replay attack.
  ({ body }, random) => sign(body, SECRET(), -random.between(310, 90_000)),
  ({ body }, random) => sign(body, SECRET(), random.between(310, 90_000)),
];

const SECRET = () => process.env.STRIPE_WEBHOOK_SECRET ?? "";

function sign(body: string, secret: string, seconds: number): SignedRequest {
  const at = Math.floor(Date.now() / 1000) + seconds;
  const digest = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  return { body, signature: `t=${at},v1=${digest}` };
}

/** Refuses webhook requests with an invalid signature and stores nothing. */
export const mutatedWebhooks: Scenario = {
  name: "mutated-webhooks",
  breakProduct: async () => {}, // every request is signed with the real secret, see below
  async run(environment) {
    const { isProductBroken, db, random, provider, quick } = environment;
    const [buyer] = await createUsers(db, 1);
    if (!buyer) throw new Error("no buyer was created");
    const sessionId = await startCheckout(environment, buyer);
    provider.pay(sessionId);
    const event: ProviderEvent = provider.event("checkout.session.completed", sessionId);
    const count = quick ? COUNT.quick : COUNT.full;
    const requests = Array.from({ length: count }, (_, index) => {
      const body = JSON.stringify(event);
      const mutate = MUTATIONS[index % MUTATIONS.length] as Mutation;
      const request = mutate({ body, signature: signWebhook(body) }, random);
      return isProductBroken ? { ...request, signature: signWebhook(request.body) } : request;
    });
    const countEvents = async () =>
      (await db.query("select count(*)::int as events from stripe_events")).rows[0]?.events;
    const before = await countEvents();
    const responses = await mapConcurrently(requests, CONCURRENCY, (request) =>
      deliver(environment, event, request),
    );
    const after = await countEvents();
    const { purchases, coins } = await readCredits(environment, sessionId);
    const problems: string[] = [];
    const statuses = tally(responses.map((response) => response.status));
    expectThat(
      problems,
      responses.every((each) => each.status === 400),
      `statuses: ${statuses}`,
    );
    expectThat(problems, after === before, `${after - before} events were stored`);
    expectThat(problems, purchases === 0 && coins === 0, `${coins} coins were credited`);
    return {
      description: `${count} requests with ${MUTATIONS.length} kinds of changes`,
      figure: `${after - before} stored; ${statuses}`,
      problems,
    };
  },
};
