import * as v from "valibot";
import { apiAddress, type PaymentSettings } from "#platform/payment-settings.ts";

export type PaystackConfig = {
  secretKey: string;
  /** Signs webhooks that are still delivered after the key was changed; null when there is none. */
  previousSecretKey: string | null;
  apiBase: string | null;
  isConfigured: boolean;
  isFake: boolean;
};

/** Returns true for a live secret key. */
export function isLiveKey(key: string): boolean {
  return key.startsWith("sk_live_");
}

const secretKey = v.pipe(
  v.string(),
  v.regex(/^sk_(live|test)_\w{8,}$/, "must begin with sk_live_ or sk_test_"),
);

/** How Paystack is configured. The secret key also signs the webhooks. */
export const paystackSettings: PaymentSettings<PaystackConfig> = {
  variables: {
    PAYSTACK_SECRET_KEY: secretKey,
    PAYSTACK_SECRET_KEY_PREVIOUS: secretKey,
    PAYSTACK_API_BASE: apiAddress,
  },
  required: ["PAYSTACK_SECRET_KEY"],
  keys: ["PAYSTACK_SECRET_KEY", "PAYSTACK_SECRET_KEY_PREVIOUS"],
  isLiveKey,
  read: ({ PAYSTACK_SECRET_KEY, PAYSTACK_SECRET_KEY_PREVIOUS, PAYSTACK_API_BASE }, mode) => ({
    secretKey: PAYSTACK_SECRET_KEY ?? "sk_test_furlong_fake",
    previousSecretKey: PAYSTACK_SECRET_KEY_PREVIOUS ?? null,
    apiBase: PAYSTACK_API_BASE ?? null,
    isConfigured: mode === "demo" || PAYSTACK_SECRET_KEY !== undefined,
    isFake: mode === "demo" && !PAYSTACK_SECRET_KEY,
  }),
  findProblems: ({ secretKey: current, previousSecretKey, apiBase }) => [
    ...(apiBase
      ? [
          {
            problem: `PAYSTACK_API_BASE sends every payment request to ${apiBase}`,
            fix: "Unset it, unless this is a test installation",
          },
        ]
      : []),
    ...(previousSecretKey === current
      ? [
          {
            problem: "PAYSTACK_SECRET_KEY_PREVIOUS is the same key as PAYSTACK_SECRET_KEY",
            fix: "Unset it, or set it to the key that was used before",
          },
        ]
      : []),
  ],
};
