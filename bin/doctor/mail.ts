import type { Env } from "#platform/env.server.ts";
import { verifyMailServer } from "#platform/mail/mailer.server.ts";
import { describeError, type Finding } from "./finding.ts";

/** Checks the login to the mail server without sending an email. */
export async function checkMail({ mail }: Env): Promise<Finding[]> {
  if (!mail.smtpUrl) return [];
  const { username, hostname, protocol } = new URL(mail.smtpUrl);
  const findings: Finding[] = [];
  try {
    await verifyMailServer(mail.smtpUrl);
  } catch (error) {
    findings.push({
      problem: `The mail server ${hostname} rejects the login (${describeError(error)})`,
      fix: "Check host, port, user and password in SMTP_URL; percent-encode characters like @ and / in them",
    });
  }
  if (username && protocol === "smtp:" && new URL(mail.smtpUrl).searchParams.has("ignoreTLS"))
    findings.push({
      problem: "SMTP_URL sends the password without encryption (ignoreTLS)",
      fix: "Use smtps:// or leave ignoreTLS out",
    });
  return findings;
}
