import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "#test/concurrency.ts";
import { type ClientResponse, sendRequest } from "./http-client.ts";
import { deliver, startCheckout } from "./purchases.ts";
import type { Environment } from "./scenario.ts";
import { createRaceCards, createTipsters, createUsers, type TestUser } from "./users.ts";

const BUYERS = 200;
const CARDS = 100;
/** The delay in milliseconds before a client sends the next request after a refusal. */
const RETRY_DELAY_MS = 50;
const CHECKOUT_TIMEOUT_MS = 5_000;

export type RecordedResponse = ClientResponse & { requestName: string; receivedAt: number };

/**
 * Clients that unlock race cards, and one that delivers payment events, until `stop` is called.
 * Every response is recorded, so that acknowledged writes can be verified afterwards.
 */
export class Load {
  readonly responses: RecordedResponse[] = [];
  #environment: Environment;
  #origin: string;
  #buyers: TestUser[];
  #cards: string[];
  #nextIndex = 0;
  #unlocked: { buyerId: string; cardId: string }[] = [];
  #credited: string[] = [];
  #isStopping = false;
  #clients: Promise<unknown> = Promise.resolve();

  private constructor(
    environment: Environment,
    origin: string,
    buyers: TestUser[],
    cards: string[],
  ) {
    this.#environment = environment;
    this.#origin = origin;
    this.#buyers = buyers;
    this.#cards = cards;
  }

  static async start(
    environment: Environment,
    { clients = 8, payments = 40, origin = environment.web.origin } = {},
  ): Promise<Load> {
    const buyers = await createUsers(environment.db, BUYERS, 4 * CARDS);
    const cards = await createRaceCards(
      environment.db,
      await createTipsters(environment.db, CARDS),
      { races: 3 },
    );
    const load = new Load(environment, origin, buyers, cards);
    const sessionIds: string[] = [];
    for (const buyer of buyers.slice(0, payments))
      sessionIds.push(await startCheckoutWithRetry(environment, buyer));
    load.#clients = Promise.all([
      ...Array.from({ length: clients }, () => load.#unlockRepeatedly()),
      load.#deliverPayments(sessionIds),
    ]);
    return load;
  }

  /** Stops the clients after their current requests. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#clients;
  }

  /** Unlocks the next race card. */
  async unlockNext(): Promise<ClientResponse> {
    const index = this.#nextIndex++;
    const buyer = this.#buyers[index % BUYERS];
    const cardId = this.#cards[Math.floor(index / BUYERS) % CARDS] ?? "";
    const response = await sendRequest(this.#origin, `/api/race-cards/${cardId}/unlock`, {
      json: {},
      cookie: buyer?.cookie,
    });
    this.responses.push({ ...response, requestName: "unlock", receivedAt: performance.now() });
    if (response.status === 200 && buyer) this.#unlocked.push({ buyerId: buyer.id, cardId });
    return response;
  }

  /** Returns a problem for acknowledged writes that are not in the database. */
  async findLostWrites(): Promise<string[]> {
    const { db } = this.#environment;
    const { rows } = await db.query<{ unlocks: number; credits: number }>(
      `select
         (select count(*)::int from unnest($1::uuid[], $2::uuid[]) as acknowledged (buyer, card)
           where not exists (select from sales s
             where s.buyer_id = acknowledged.buyer and s.race_card_id = acknowledged.card)) as unlocks,
         (select count(*)::int from unnest($3::text[]) session
           where not exists (select from coin_purchases p
             where p.session_id = session)) as credits`,
      [
        this.#unlocked.map((unlock) => unlock.buyerId),
        this.#unlocked.map((unlock) => unlock.cardId),
        this.#credited,
      ],
    );
    const { unlocks = 0, credits = 0 } = rows[0] ?? {};
    return [
      ...(unlocks > 0
        ? [`${unlocks} of ${this.#unlocked.length} unlocked race cards are lost`]
        : []),
      ...(credits > 0 ? [`${credits} of ${this.#credited.length} credits are lost`] : []),
    ];
  }

  /** Describes responses other than 200 and a timely 503 with Retry-After. */
  findUnexpectedResponses(max503Ms: number): string[] {
    const problems: string[] = [];
    for (const { requestName, status, retryAfter, ms, text } of this.responses) {
      if (status === 503 && retryAfter === null)
        problems.push(`${requestName}: 503 without Retry-After`);
      if (status === 503 && ms > max503Ms)
        problems.push(`${requestName}: 503 after ${Math.round(ms)} ms`);
      if (status !== 200 && status !== 503)
        problems.push(`${requestName}: ${status} ${text.slice(0, 80)}`);
    }
    const counts = new Map<string, number>();
    for (const problem of problems) counts.set(problem, (counts.get(problem) ?? 0) + 1);
    return [...counts].slice(0, 8).map(([problem, count]) => `${problem} (${count} ×)`);
  }

  async #unlockRepeatedly(): Promise<void> {
    while (!this.#isStopping) {
      const { status } = await this.unlockNext();
      if (status !== 200) await sleep(RETRY_DELAY_MS);
    }
  }

  async #deliverPayments(sessionIds: string[]): Promise<void> {
    const { provider } = this.#environment;
    for (const sessionId of sessionIds) {
      provider.pay(sessionId);
      const event = provider.event("checkout.session.completed", sessionId);
      for (let isAcknowledged = false; !isAcknowledged && !this.#isStopping; ) {
        const response = await deliver({ web: { origin: this.#origin } }, event);
        this.responses.push({ ...response, requestName: "webhook", receivedAt: performance.now() });
        isAcknowledged = response.status === 200;
        if (isAcknowledged) this.#credited.push(sessionId);
        await sleep(RETRY_DELAY_MS);
      }
    }
  }
}

/** Starts a checkout. Retries while a web process is reconnecting to its database. */
async function startCheckoutWithRetry(environment: Environment, buyer: TestUser): Promise<string> {
  const key = randomUUID();
  const start = () => startCheckout(environment, buyer, { key });
  let sessionId: string | null = null;
  await waitUntil(async () => {
    sessionId = await start().catch(() => null);
    return sessionId !== null;
  }, CHECKOUT_TIMEOUT_MS);
  return sessionId ?? (await start());
}
