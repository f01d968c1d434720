import { resolve } from "node:path";
import { type Env, EnvError, readEnv } from "#platform/env.server.ts";
import { checkAddress } from "./doctor/address.ts";
import { checkDatabase } from "./doctor/database.ts";
import { checkBackups, checkDisk } from "./doctor/disk.ts";
import type { Finding } from "./doctor/finding.ts";
import { checkMail } from "./doctor/mail.ts";
import { checkSettings } from "./doctor/settings.ts";
import { printError } from "./print-error.ts";
import { withDatabase } from "./with-database.ts";

/** Runs all checks of an installation. `backups` is the path of the backup folder. */
async function checkInstallation(env: Env, backups: string): Promise<Finding[]> {
  const database = env.databaseUrl
    ? checkDatabase(env, env.databaseUrl)
    : withDatabase((url) => checkDatabase(env, url));
  const findings = await Promise.all([
    checkSettings(env),
    database,
    checkAddress(env),
    checkMail(env),
    checkDisk(env),
    checkBackups(env, backups),
  ]);
  return findings.flat();
}

function toFindings(error: EnvError): Finding[] {
  return error.problems.map((problem) => ({ problem, fix: "Change the variable" }));
}

try {
  const backups = resolve(process.argv[2] ?? "backups");
  let findings: Finding[];
  try {
    findings = await checkInstallation(readEnv(), backups);
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    findings = toFindings(error);
  }
  for (const { problem, fix } of findings) console.log(`${problem}. ${fix}.`);
  console.log(findings.length === 0 ? "No problems found." : `Problems found: ${findings.length}.`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
