import { type Env, findPaymentSettingProblems } from "#platform/env.server.ts";
import type { Finding } from "./finding.ts";

/** Finds wrong or missing settings that do not prevent production from starting. */
export function checkSettings(env: Env): Finding[] {
  if (env.mode !== "production") return [];
  const findings: Finding[] = findPaymentSettingProblems(env);
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
