import { checkProviders } from "#payments/check-providers.server.ts";
import { printError } from "./print-error.ts";

// `npm run payments:check`: calls the payment providers with the configured keys. Reads only, so it costs nothing.

try {
  const checks = await checkProviders();
  for (const { provider, call, problem } of checks)
    console.log(`${provider}: ${call}: ${problem ?? "ok"}`);
  const failed = checks.filter(({ problem }) => problem !== null).length;
  console.log(
    checks.length === 0
      ? "No payment provider has a key: the demo's fake needs no check."
      : `${checks.length} calls made, ${failed} failed.`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
