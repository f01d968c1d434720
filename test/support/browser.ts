import type { Hono } from "hono";
import type { HttpEnv } from "#platform/http/http.server.ts";

let app: Hono<HttpEnv> | null = null;

/** Returns the whole application as an in-process Hono app. */
async function getApp(): Promise<Hono<HttpEnv>> {
  app ??= (await import("#server.ts")).createApp();
  return app;
}

let addressCount = 0;

/** Returns a client address that no other call in this test file returns, for limits per address. */
export function uniqueAddress(): string {
  addressCount += 1;
  return `10.128.${addressCount >> 8}.${addressCount & 255}`;
}

/** A browser without JavaScript: stores cookies, submits forms and follows no redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly address: string;

  constructor({ address = "127.0.0.1" }: { address?: string } = {}) {
    this.address = address;
  }

  get(path: string): Promise<Response> {
    return this.#send(path, { method: "GET" });
  }

  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#send(path, { method: "POST", body: new URLSearchParams(fields), headers });
  }

  postJson(path: string, body: unknown): Promise<Response> {
    return this.#send(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
  }

  /** Sends any request with this browser's cookies. */
  send(path: string, init: RequestInit): Promise<Response> {
    return this.#send(path, init);
  }

  /** Returns a Request with this browser's cookies, as loaders and actions receive it. */
  request(path = "/"): Request {
    return new Request(`http://localhost:3000${path}`, { headers: this.#headers() });
  }

  /** Applies the Set-Cookie and Clear-Site-Data headers of a response. */
  applyCookies(headers: Headers | null): void {
    for (const line of headers?.getSetCookie() ?? []) {
      const [pair = "", ...attributes] = line.split(";");
      const equals = pair.indexOf("=");
      const name = pair.slice(0, equals);
      if (attributes.some((each) => each.trim().toLowerCase() === "max-age=0"))
        this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(equals + 1));
    }
    // Also clears cookies set by the same response, as browsers do.
    if (headers?.get("Clear-Site-Data")?.includes('"cookies"')) this.cookies.clear();
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of this.#headers()) headers.set(name, value);
    const response = await (await getApp()).request(
      `http://localhost:3000${path}`,
      { ...init, headers },
      { incoming: { socket: { remoteAddress: this.address } } },
    );
    this.applyCookies(response.headers);
    return response;
  }

  #headers(): Headers {
    const headers = new Headers();
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    if (pairs.length > 0) headers.set("Cookie", pairs.join("; "));
    return headers;
  }
}
