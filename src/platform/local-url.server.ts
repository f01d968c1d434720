import { env } from "#platform/env.server.ts";

/** Returns the URL at which this process can call itself. */
export function buildLocalUrl(): string {
  const { host, port } = env();
  const reachableHost = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachableHost.includes(":") ? `[${reachableHost.replace(/[[\]]/g, "")}]` : reachableHost}:${port}`;
}
