import type { PaymentGateway, ProviderName } from "./gateway.ts";
import { stripeGateway } from "./stripe/gateway.server.ts";

/** The registry of payment providers. Another provider adds its folder and one line here. */
const GATEWAYS: Record<ProviderName, PaymentGateway> = {
  stripe: stripeGateway,
};

/** Returns the gateway of a stored payment, which may be of an earlier provider. */
export function getGateway(provider: ProviderName): PaymentGateway {
  return GATEWAYS[provider];
}

/** Returns the gateway with this name in an address; undefined when there is none. */
export function findGateway(name: string): PaymentGateway | undefined {
  return listGateways().find((gateway) => gateway.provider === name);
}

/** Returns all gateways: the payments of each are reconciled. */
export function listGateways(): PaymentGateway[] {
  return Object.values(GATEWAYS);
}
