import type { Env } from "#platform/env.server.ts";
import {
  createReportToken,
  REPORT_HEADER,
  type RequestReport,
} from "#platform/http/request-report.server.ts";
import { describeError, type Finding } from "./finding.ts";

const RESPONSE_TIMEOUT_MS = 10_000;
/** An address of TEST-NET-2, which is reserved for documentation (RFC 5737). */
const FORGED_ADDRESS = "198.51.100.77";

/**
 * Sends requests to APP_URL through the load balancer, as a visitor does, and checks the results.
 */
export async function checkAddress(env: Env): Promise<Finding[]> {
  const sendRequest = (path: string, init: RequestInit = {}) =>
    fetch(env.appUrl + path, {
      redirect: "manual",
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      ...init,
    });
  const ready = await sendRequest("/health/ready").catch(describeError);
  if (typeof ready === "string")
    return [
      {
        problem: `APP_URL (${env.appUrl}) does not respond (${ready})`,
        fix: "Check that Furlong is running, then check the DNS record, the certificate and the load balancer",
      },
    ];
  if (ready.status !== 200)
    return [
      {
        problem: `${env.appUrl}/health/ready returns ${ready.status}: ${toSingleLine(await ready.text())}`,
        fix: "Check Furlong's log. If the response is not from Furlong, check the load balancer's log",
      },
    ];
  const findings = await Promise.all([
    checkProxy(env, sendRequest),
    checkWebhook(env, sendRequest),
    checkEvents(sendRequest),
    checkMetrics(sendRequest),
  ]);
  return findings.flat();
}

type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

async function checkProxy(env: Env, sendRequest: SendRequest): Promise<Finding[]> {
  const response = await sendRequest("/health/live", {
    headers: { [REPORT_HEADER]: createReportToken(), "X-Forwarded-For": FORGED_ADDRESS },
  })
    .then((reply) => reply.json() as Promise<{ request?: RequestReport }>)
    .catch(() => null);
  const request = response?.request;
  if (!request)
    return [
      {
        problem: `${env.appUrl} points to another installation, or to a machine with a different AUTH_SECRET`,
        fix: "Check the target of APP_URL, and set the same variables on every machine",
      },
    ];
  if (!request.isProxied)
    return env.appUrl.startsWith("https:") ? [describeUntrustedProxy(request)] : [];
  const findings: Finding[] = [];
  if (request.client === FORGED_ADDRESS)
    findings.push({
      problem: "The load balancer passes on the X-Forwarded-For that a visitor sends",
      fix: "Configure it to replace the header with the visitor's address, as docs/operations/haproxy.cfg does",
    });
  if (!request.url.startsWith(new URL(env.appUrl).origin))
    findings.push({
      problem: `Furlong sees requests to APP_URL as ${request.url}`,
      fix: "Restart every machine with the same APP_URL and TRUSTED_PROXY",
    });
  return findings;
}

function describeUntrustedProxy({ peer }: RequestReport): Finding {
  return {
    problem: `Requests through APP_URL come from ${peer}, which TRUSTED_PROXY does not include`,
    fix: `Set TRUSTED_PROXY to the load balancer's address or network (${peer}), and restart`,
  };
}

/** Checks that an unsigned event reaches Furlong, which returns 400 for it. */
async function checkWebhook(
  { paymentProvider }: Env,
  sendRequest: SendRequest,
): Promise<Finding[]> {
  const path = `/webhooks/${paymentProvider}`;
  const response = await sendRequest(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  }).catch(describeError);
  const status = typeof response === "string" ? response : response.status;
  if (status === 400) return [];
  return [
    {
      problem: `The webhook address returns ${status} instead of 400`,
      fix: `Configure the load balancer to forward POST ${path} without authentication or filtering`,
    },
  ];
}

async function checkEvents(sendRequest: SendRequest): Promise<Finding[]> {
  try {
    const response = await sendRequest("/events/leaderboard");
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    if (response.status === 200 && value) return [];
  } catch {
    // A timeout is reported below like a missing first event.
  }
  return [
    {
      problem: "The event stream /events/leaderboard does not arrive through APP_URL",
      fix: "Disable response buffering for /events/ in the load balancer",
    },
  ];
}

async function checkMetrics(sendRequest: SendRequest): Promise<Finding[]> {
  const response = await sendRequest("/metrics").catch(() => null);
  if (response?.status !== 200) return [];
  return [
    {
      problem: "/metrics can be read through APP_URL",
      fix: "Deny the path in the load balancer, and set METRICS_TOKEN",
    },
  ];
}

function toSingleLine(text: string): string {
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 120)
    .replace(/\.$/, "");
}
