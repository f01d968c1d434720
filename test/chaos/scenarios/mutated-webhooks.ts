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

/** Changes that an attacker could make who knows a signed request but not the secret. */
const MUTATIONS: Mutation[] = [
  changeBody((body, random) => {
    const index = random.between(0, body.length - 1);
    return body.slice(0, index) + (body[index] === "x" ? "y" : "x") + body.slice(index + 1);
  }),
  changeBody((body, random) => body.slice(0, random.between(0, body.length - 1))),
  changeBody((body) => `${body} `),
  changeBody((body, random) =>
    body.replace(/"amount_total":\d+/, `"amount_total":${random.between(1, 9)}`),
  ),
  changeBody((body, random) => body.replace(/evt_\w+/, `evt_${random.between(1, 1e9)}`)),
  changeBody((body) => JSON.stringify(JSON.parse(body), null, 1)),
  changeSignature((signature, random) => {
    const index = random.between(signature.indexOf("v1=") + 3, signature.length - 1);
    const digit = signature[index] === "0" ? "1" : "0";
    return signature.slice(0, index) + digit + signature.slice(index + 1);
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
  ({ body }, random) => sign(body, readSecret(), -random.between(310, 90_000)),
  ({ body }, random) => sign(body, readSecret(), random.between(310, 90_000)),
];

const readSecret = () => process.env.STRIPE_WEBHOOK_SECRET ?? "";

function sign(body: string, secret: string, offsetSeconds: number): SignedRequest {
  const timestamp = Math.floor(Date.now() / 1000) + offsetSeconds;
  const digest = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { body, signature: `t=${timestamp},v1=${digest}` };
}

/** Refuses webhook requests with an invalid signature and stores nothing. */
export const mutatedWebhooks: Scenario = {
  name: "mutated-webhooks",
  injectFault: async () => {}, // every request is signed with the real secret, see below
  async run(environment) {
    const { isFaultInjected, db, random, provider, quick } = environment;
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
      return isFaultInjected ? { ...request, signature: signWebhook(request.body) } : request;
    });
    const countEvents = async () =>
      (await db.query("select count(*)::int as events from payment_events")).rows[0]?.events;
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
      responses.every((response) => response.status === 400),
      `statuses: ${statuses}`,
    );
    expectThat(problems, after === before, `${after - before} events were stored`);
    expectThat(problems, purchases === 0 && coins === 0, `${coins} coins were credited`);
    return {
      description: `${count} requests with ${MUTATIONS.length} kinds of changes`,
      measurement: `${after - before} stored; ${statuses}`,
      problems,
    };
  },
};
