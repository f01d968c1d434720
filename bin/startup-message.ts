import type { Env } from "#platform/env.server.ts";

const DEMO_ACCOUNTS = {
  "punter@furlong.test": "user with 50 coins",
  "new.punter@furlong.test": "user with 0 coins",
  "tipster@furlong.test": "approved tipster with a history and payable earnings",
  "applicant@furlong.test": "user with a pending tipster application",
  "analyst1@furlong.test": "analyst (analyst2@ and analyst3@ too)",
  "admin@furlong.test": "admin",
  "second.admin@furlong.test": "second admin, to confirm what the first has entered",
};

/** Returns the startup message: the URL and, in the demo, the demo accounts. */
export function formatStartupMessage({ mode, appUrl, host, port }: Env): string {
  const address = `listens on ${host}:${port}`;
  const lines = ["", `Furlong is ready: ${appUrl} (${address})`];
  if (mode === "demo") {
    lines.push("", "Demo accounts (password for all: furlong-demo)");
    for (const [email, description] of Object.entries(DEMO_ACCOUNTS))
      lines.push(`  ${email.padEnd(28)}${description}`);
    lines.push("", `Demo mailbox: ${appUrl}/demo/mail`);
  }
  lines.push("", "Press Ctrl-C to stop.", "");
  return lines.join("\n");
}
