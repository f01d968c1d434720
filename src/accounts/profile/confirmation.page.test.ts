import { expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { createSender } from "#test/app.ts";
import { makeUser } from "#test/factories.ts";

it("sends the verification email again, and explains when it is limited", async () => {
  const send = await createSender(await makeUser({ verified: false }));
  const resendEmail = async () =>
    await (await send("/profile/confirmation", { method: "POST" })).text();
  expect(await resendEmail()).toContain(
    "Verification email sent! Check your inbox and spam folder.",
  );
  await resendEmail();
  await resendEmail();
  expect(await resendEmail()).toContain("We send at most three emails an hour to one address.");
  // Exceeds the limit per client address.
  await pool().query("update rate_limits set points = 1000 where key like 'ask:%'");
  expect(await resendEmail()).toContain(
    "Failed to send verification email. Please try again later.",
  );
});
