import autocannon from "autocannon";
import type { Measurement } from "./measure.ts";

/** Asks for a page again and again, as a guest's browser would the first time. */
export async function fetchPage(
  url: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Measurement> {
  const result = await autocannon({
    url,
    connections: clients,
    duration: seconds,
    headers: { "accept-encoding": "br" },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors at ${url}`);
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
