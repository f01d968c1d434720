import { env } from "#platform/env.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { fakePaystack } from "../fake-paystack/fake-paystack.server.ts";
import { fakeStripe } from "../fake-stripe/fake-stripe.server.ts";
import type { ProviderName } from "../gateway.ts";
import type { FakeCheckout, FakeProvider } from "./fake-provider.ts";

/** The fakes of the payment providers. Another provider adds its folder and one line here. */
const FAKE_PROVIDERS: Record<ProviderName, FakeProvider> = {
  stripe: fakeStripe,
  paystack: fakePaystack,
};

/** Returns whether new payments go to a fake. Otherwise no fake is used. */
export function isPaymentFake(): boolean {
  return env()[env().paymentProvider].isFake;
}

/** Returns the fake of the provider of new payments. Throws outside the demo. */
export function getFakeProvider(): FakeProvider {
  if (!isPaymentFake()) throw new Error("only the demo can create purchases");
  return FAKE_PROVIDERS[env().paymentProvider];
}

/** Returns the fakes in use, also of providers that took payments before and of the provider of payouts. */
export function listFakeProviders(): FakeProvider[] {
  const names = Object.keys(FAKE_PROVIDERS) as ProviderName[];
  return names
    .filter((name) => env()[name].isFake && (isPaymentFake() || env().payoutProvider === name))
    .map((name) => FAKE_PROVIDERS[name]);
}

/** Returns the fake that has a checkout, and the checkout; null when none has it. */
export async function findFakeCheckout(
  id: string,
): Promise<{ fake: FakeProvider; checkout: FakeCheckout } | null> {
  for (const fake of listFakeProviders()) {
    const checkout = await fake.find(id);
    if (checkout) return { fake, checkout };
  }
  return null;
}

/** Returns the latest checkouts of all fakes, newest first. */
export async function listFakeCheckouts(): Promise<FakeCheckout[]> {
  const lists = await Promise.all(listFakeProviders().map((fake) => fake.list()));
  return lists.flat().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

/** Returns the jobs of the fakes: event delivery and expiry. */
export function fakeProviderJobs(): Job[] {
  return listFakeProviders().flatMap((fake) => fake.jobs);
}
