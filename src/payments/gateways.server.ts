import { env } from "#platform/env.server.ts";
import type { PaymentGateway, ProviderName } from "./gateway.ts";
import { paystackGateway } from "./paystack/gateway.server.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";

/** The registry of payment providers. Another provider adds its folder and one line here. */
const GATEWAYS: Record<ProviderName, PaymentGateway> = {
  stripe: stripeGateway,
  paystack: paystackGateway,
};

/** Returns the gateway of a stored payment, which may be of an earlier provider. */
export function getGateway(provider: ProviderName): PaymentGateway {
  return GATEWAYS[provider];
}

/** Returns whether a stored payment can be refunded through its provider, whose keys must still be configured. */
export function canRefund(provider: ProviderName): boolean {
  const gateway = getGateway(provider);
  return gateway.capabilities.refunds && gateway.isConfigured();
}

/** Returns the gateway with this name in an address; undefined when there is none. */
export function findGateway(name: string): PaymentGateway | undefined {
  return listGateways().find((gateway) => gateway.provider === name);
}

/** Returns the configured gateways: the payments of each are reconciled. */
export function listGateways(): PaymentGateway[] {
  return Object.values(GATEWAYS).filter((gateway) => gateway.isConfigured());
}

/** Returns the origins of all payment pages, to which a form may redirect. */
export function listCheckoutOrigins(): string[] {
  return listGateways().flatMap((gateway) => gateway.describe().checkoutOrigins);
}

/** Returns whether a text begins like a provider's id of a checkout. */
export function isSessionIdPrefix(text: string): boolean {
  return listGateways().some((gateway) => gateway.describe().sessionIdPattern.test(text));
}

/** Returns the name and policies of the current provider for the legal pages. */
export function describePaymentProvider() {
  const { name, privacyUrl, cookiesUrl } = GATEWAYS[env().paymentProvider].describe();
  return { name, privacyUrl, cookiesUrl };
}
