import type { Env } from "#platform/env.server.ts";
import {
  makeReportToken,
  REPORT_HEADER,
  type RequestReport,
} from "#platform/http/request-report.server.ts";
import { type Finding, reasonOf } from "./finding.ts";

const ANSWER_WITHIN_MS = 10_000;
/** An address of TEST-NET-2, which is reserved for documentation (RFC 5737). */
const FORGED_ADDRESS = "198.51.100.77";

/**
 * Sends requests to APP_URL through the load balancer, as a visitor does, and checks the results.
 */
export async function checkAddress(env: Env): Promise<Finding[]> {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(env.appUrl + path, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...init,
    });
  const ready = await ask("/health/ready").catch(reasonOf);
  if (typeof ready === "string")
    return [
      {
        problem: `APP_URL (${env.appUrl}) does not answer (${ready})`,
        remedy:
          "Check that Furlong runs, and the name's DNS record, the certificate and the load balancer",
      },
    ];
  if (ready.status !== 200)
    return [
      {
        problem: `${env.appUrl}/health/ready answers ${ready.status}: ${oneLine(await ready.text())}`,
        remedy: "Look into Furlong's log, and into the load balancer's if the answer is not ours",
      },
    ];
  const found = await Promise.all([
    checkProxy(env, ask),
    checkWebhook(ask),
    checkEvents(ask),
    checkMetrics(ask),
  ]);
  return found.flat();
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

async function checkProxy(env: Env, ask: Ask): Promise<Finding[]> {
  const answer = await ask("/health/live", {
    headers: { [REPORT_HEADER]: makeReportToken(), "X-Forwarded-For": FORGED_ADDRESS },
  })
    .then((response) => response.json() as Promise<{ request?: RequestReport }>)
    .catch(() => null);
  const request = answer?.request;
  if (!request)
    return [
      {
        problem: `${env.appUrl} is answered by another installation, or with another AUTH_SECRET`,
        remedy: "Check where APP_URL leads, and give every machine the same variables",
      },
    ];
  if (!request.isProxied) return env.appUrl.startsWith("https:") ? [untrusted(request)] : [];
  const findings: Finding[] = [];
  if (request.client === FORGED_ADDRESS)
    findings.push({
      problem: "The load balancer passes on the X-Forwarded-For that a visitor sends",
      remedy:
        "Let it replace the header by the visitor's address, as docs/operations/haproxy.cfg does",
    });
  if (!request.url.startsWith(new URL(env.appUrl).origin))
    findings.push({
      problem: `A request through APP_URL has the address ${request.url}`,
      remedy: "Restart every machine with the same APP_URL and TRUSTED_PROXY",
    });
  return findings;
}

function untrusted({ peer }: RequestReport): Finding {
  return {
    problem: `Requests through APP_URL come from ${peer}, which TRUSTED_PROXY does not name`,
    remedy: `Set TRUSTED_PROXY to the load balancer's address or network (${peer}), and restart`,
  };
}

/** Checks that an unsigned event reaches Furlong, which returns 400 for it. */
async function checkWebhook(ask: Ask): Promise<Finding[]> {
  const answer = await ask("/webhooks/stripe", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  }).catch(reasonOf);
  const status = typeof answer === "string" ? answer : answer.status;
  if (status === 400) return [];
  return [
    {
      problem: `The webhook address answers ${status} where 400 is expected`,
      remedy: "Let the load balancer pass POST /webhooks/stripe on, without a login or a filter",
    },
  ];
}

async function checkEvents(ask: Ask): Promise<Finding[]> {
  try {
    const answer = await ask("/events/leaderboard");
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    if (answer.status === 200 && value) return [];
  } catch {
    // A timeout is reported below like a missing first event.
  }
  return [
    {
      problem: "The event stream /events/leaderboard does not arrive through APP_URL",
      remedy: "Turn response buffering off for /events/ in the load balancer",
    },
  ];
}

async function checkMetrics(ask: Ask): Promise<Finding[]> {
  const answer = await ask("/metrics").catch(() => null);
  if (answer?.status !== 200) return [];
  return [
    {
      problem: "/metrics can be read through APP_URL",
      remedy: "Deny the path in the load balancer, and set METRICS_TOKEN",
    },
  ];
}

function oneLine(text: string): string {
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 120)
    .replace(/\.$/, "");
}
