import * as v from "valibot";

/** What every payment provider's configuration contains. */
export type PaymentProviderConfig = {
  /** False when production has no key of this provider: then it is not used. */
  isConfigured: boolean;
  /** Whether the demo's fake answers in place of the provider. */
  isFake: boolean;
};

/** How a payment provider is configured. Each provider's folder has one. */
export type PaymentSettings<Config extends PaymentProviderConfig = PaymentProviderConfig> = {
  /** The environment variables, with their validation. */
  variables: Record<string, v.GenericSchema<string, string>>;
  /** The variables that production needs if this provider takes new payments. */
  required: readonly string[];
  /** The variables that hold API keys: live ones in production, test keys in the demo. */
  keys: readonly string[];
  isLiveKey: (key: string) => boolean;
  read: (values: Record<string, string | undefined>, mode: "demo" | "production") => Config;
  /** Finds settings that do not prevent production from starting but look wrong. */
  findProblems: (config: Config) => { problem: string; fix: string }[];
};

/** The address of an API, which may be a local one. */
export const apiAddress = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol),
    "must be an address that begins with http:// or https://",
  ),
);
