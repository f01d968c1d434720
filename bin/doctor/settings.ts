import type { Env } from "#platform/env.server.ts";
import type { Finding } from "./finding.ts";

/** Finds wrong or missing settings that do not prevent production from starting. */
export function checkSettings(env: Env): Finding[] {
  if (env.mode !== "production") return [];
  const findings: Finding[] = [];
  const { webhookSecret, apiBase } = env.stripe;
  if (!apiBase && !/^whsec_[\w+/=]{24,}$/.test(webhookSecret))
    findings.push({
      problem: "STRIPE_WEBHOOK_SECRET does not look like a signing secret",
      fix: "Copy the secret that begins with whsec_ from the webhook endpoint's page in Stripe",
    });
  if (apiBase)
    findings.push({
      problem: `STRIPE_API_BASE sends every payment request to ${apiBase}`,
      fix: "Unset it, unless this is a test installation",
    });
  if (!env.trustedProxy)
    findings.push({
      problem: "TRUSTED_PROXY is not set, so all visitors share the rate limits of one address",
      fix: "Set it to the address or network from which the load balancer connects",
    });
  if (!env.migrationDatabaseUrl || env.migrationDatabaseUrl === env.databaseUrl)
    findings.push({
      problem: "MIGRATION_DATABASE_URL is not set, so the application owns the schema",
      fix: "Create two roles as described in docs/operations.md, and set it to the owner's URL",
    });
  return findings;
}
