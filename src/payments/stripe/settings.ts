import * as v from "valibot";
import { apiAddress, type PaymentSettings } from "#platform/payment-settings.ts";

export type StripeConfig = {
  secretKey: string;
  webhookSecret: string;
  apiBase: string | null;
  isConfigured: boolean;
  isFake: boolean;
};

/** Returns true for a live secret key, including organisation keys. */
export function isLiveKey(key: string): boolean {
  return /^(sk|rk)_(org_)?live_/.test(key);
}

/** How Stripe is configured. */
export const stripeSettings: PaymentSettings<StripeConfig> = {
  variables: {
    STRIPE_SECRET_KEY: v.pipe(v.string(), v.regex(/^(sk|rk)_/, "must begin with sk_ or rk_")),
    STRIPE_WEBHOOK_SECRET: v.pipe(
      v.string(),
      v.minLength(8, "must be the webhook's signing secret"),
    ),
    STRIPE_API_BASE: apiAddress,
  },
  required: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  keys: ["STRIPE_SECRET_KEY"],
  isLiveKey,
  read: ({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE }, mode) => ({
    secretKey: STRIPE_SECRET_KEY ?? "sk_test_furlong_fake",
    webhookSecret: STRIPE_WEBHOOK_SECRET ?? "whsec_furlong_fake",
    apiBase: STRIPE_API_BASE ?? null,
    isConfigured:
      mode === "demo" || (STRIPE_SECRET_KEY !== undefined && STRIPE_WEBHOOK_SECRET !== undefined),
    isFake: mode === "demo" && !STRIPE_SECRET_KEY,
  }),
  findProblems: ({ webhookSecret, apiBase }) => {
    if (apiBase)
      return [
        {
          problem: `STRIPE_API_BASE sends every payment request to ${apiBase}`,
          fix: "Unset it, unless this is a test installation",
        },
      ];
    if (/^whsec_[\w+/=]{24,}$/.test(webhookSecret)) return [];
    return [
      {
        problem: "STRIPE_WEBHOOK_SECRET does not look like a signing secret",
        fix: "Copy the secret that begins with whsec_ from the webhook endpoint's page in Stripe",
      },
    ];
  },
};
