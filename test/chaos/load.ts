import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { comesTrue } from "#test/concurrency.ts";
import { type Answer, ask } from "./http-client.ts";
import { deliver, startCheckout } from "./purchases.ts";
import type { Arena } from "./scenario.ts";
import { makePeople, makeRaceCards, makeTipsters, type Person } from "./users.ts";

const BUYERS = 200;
const CARDS = 100;
/** A client that was told to come later does not come at once. */
const AFTER_REFUSAL_MS = 50;
const CHECKOUT_WITHIN_MS = 5_000;

export type Told = Answer & { what: string; at: number };

/**
 * Clients who open cards, and one whose payments are told of, until they are stopped; it is remembered
 * what each was told, so that it can be asked afterwards whether it is so.
 */
export class Load {
  readonly told: Told[] = [];
  #arena: Arena;
  #origin: string;
  #buyers: Person[];
  #cards: string[];
  #next = 0;
  #opened: { buyerId: string; cardId: string }[] = [];
  #credited: string[] = [];
  #stopping = false;
  #work: Promise<unknown> = Promise.resolve();

  private constructor(arena: Arena, origin: string, buyers: Person[], cards: string[]) {
    this.#arena = arena;
    this.#origin = origin;
    this.#buyers = buyers;
    this.#cards = cards;
  }

  static async begin(
    arena: Arena,
    { clients = 8, payments = 40, origin = arena.web.origin } = {},
  ): Promise<Load> {
    const buyers = await makePeople(arena.db, BUYERS, 4 * CARDS);
    const cards = await makeRaceCards(arena.db, await makeTipsters(arena.db, CARDS), { races: 3 });
    const load = new Load(arena, origin, buyers, cards);
    const sessionIds: string[] = [];
    for (const buyer of buyers.slice(0, payments))
      sessionIds.push(await checkoutInTime(arena, buyer));
    load.#work = Promise.all([
      ...Array.from({ length: clients }, () => load.#openCards()),
      load.#tellPayments(sessionIds),
    ]);
    return load;
  }

  /** Lets the clients finish what they have begun. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#work;
  }

  /** Opens one card more, for one who wants to know whether that works. */
  async open(): Promise<Answer> {
    const index = this.#next++;
    const buyer = this.#buyers[index % BUYERS];
    const cardId = this.#cards[Math.floor(index / BUYERS) % CARDS] ?? "";
    const answer = await ask(this.#origin, `/api/race-cards/${cardId}/unlock`, {
      json: {},
      cookie: buyer?.cookie,
    });
    this.told.push({ ...answer, what: "unlock", at: performance.now() });
    if (answer.status === 200 && buyer) this.#opened.push({ buyerId: buyer.id, cardId });
    return answer;
  }

  /** What somebody was told is done and is not to be found. */
  async lost(): Promise<string[]> {
    const { db } = this.#arena;
    const { rows } = await db.query<{ unlocks: number; credits: number }>(
      `select
         (select count(*)::int from unnest($1::uuid[], $2::uuid[]) as told (buyer, card)
           where not exists (select from sales s
             where s.buyer_id = told.buyer and s.race_card_id = told.card)) as unlocks,
         (select count(*)::int from unnest($3::text[]) session
           where not exists (select from coin_purchases p
             where p.stripe_session_id = session)) as credits`,
      [
        this.#opened.map((each) => each.buyerId),
        this.#opened.map((each) => each.cardId),
        this.#credited,
      ],
    );
    const { unlocks = 0, credits = 0 } = rows[0] ?? {};
    return [
      ...(unlocks > 0 ? [`${unlocks} of ${this.#opened.length} opened cards are lost`] : []),
      ...(credits > 0 ? [`${credits} of ${this.#credited.length} credits are lost`] : []),
    ];
  }

  /** Answers that nobody should get while the database comes and goes, in words. */
  faults(within503Ms: number): string[] {
    const faults: string[] = [];
    for (const { what, status, retryAfter, ms, text } of this.told) {
      if (status === 503 && retryAfter === null) faults.push(`${what}: 503 without Retry-After`);
      if (status === 503 && ms > within503Ms)
        faults.push(`${what}: 503 after ${Math.round(ms)} ms`);
      if (status !== 200 && status !== 503) faults.push(`${what}: ${status} ${text.slice(0, 80)}`);
    }
    const kinds = new Map<string, number>();
    for (const fault of faults) kinds.set(fault, (kinds.get(fault) ?? 0) + 1);
    return [...kinds].slice(0, 8).map(([fault, count]) => `${fault} (${count} ×)`);
  }

  async #openCards(): Promise<void> {
    while (!this.#stopping) {
      const { status } = await this.open();
      if (status !== 200) await sleep(AFTER_REFUSAL_MS);
    }
  }

  async #tellPayments(sessionIds: string[]): Promise<void> {
    const { provider } = this.#arena;
    for (const sessionId of sessionIds) {
      provider.pay(sessionId);
      const event = provider.event("checkout.session.completed", sessionId);
      for (let isTaken = false; !isTaken && !this.#stopping; ) {
        const answer = await deliver({ web: { origin: this.#origin } }, event);
        this.told.push({ ...answer, what: "webhook", at: performance.now() });
        isTaken = answer.status === 200;
        if (isTaken) this.#credited.push(sessionId);
        await sleep(AFTER_REFUSAL_MS);
      }
    }
  }
}

/** A payment page, asked for again where one web process has its database back a moment after another. */
async function checkoutInTime(arena: Arena, buyer: Person): Promise<string> {
  const key = randomUUID();
  const start = () => startCheckout(arena, buyer, { key });
  let sessionId: string | null = null;
  await comesTrue(async () => {
    sessionId = await start().catch(() => null);
    return sessionId !== null;
  }, CHECKOUT_WITHIN_MS);
  return sessionId ?? (await start());
}
