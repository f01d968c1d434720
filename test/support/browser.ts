import type { Hono } from "hono";
import type { HttpEnv } from "#platform/http/http.server.ts";

let app: Hono<HttpEnv> | null = null;

/** The whole product in this process: what a Request gets for a Response. */
async function product(): Promise<Hono<HttpEnv>> {
  app ??= (await import("#server.ts")).createApp();
  return app;
}

/** A browser without scripts: it keeps cookies, sends forms and follows no redirect by itself. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly address: string;

  constructor({ address = "127.0.0.1" }: { address?: string } = {}) {
    this.address = address;
  }

  get(path: string): Promise<Response> {
    return this.#ask(path, { method: "GET" });
  }

  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#ask(path, { method: "POST", body: new URLSearchParams(fields), headers });
  }

  postJson(path: string, body: unknown): Promise<Response> {
    return this.#ask(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
  }

  /** Any request at all, with this browser's cookies. */
  send(path: string, init: RequestInit): Promise<Response> {
    return this.#ask(path, init);
  }

  /** A request as a verb is given it, with this browser's cookies. */
  request(path = "/"): Request {
    return new Request(`http://localhost:3000${path}`, { headers: this.#headers() });
  }

  /** Takes the cookies that headers set, as if they had come with an answer. */
  take(headers: Headers | null): void {
    for (const line of headers?.getSetCookie() ?? []) {
      const [pair = "", ...attributes] = line.split(";");
      const equals = pair.indexOf("=");
      const name = pair.slice(0, equals);
      if (attributes.some((each) => each.trim().toLowerCase() === "max-age=0"))
        this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(equals + 1));
    }
    // Those that came with the same answer too: that is what browsers do.
    if (headers?.get("Clear-Site-Data")?.includes('"cookies"')) this.cookies.clear();
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of this.#headers()) headers.set(name, value);
    const response = await (await product()).request(
      `http://localhost:3000${path}`,
      { ...init, headers },
      { incoming: { socket: { remoteAddress: this.address } } },
    );
    this.take(response.headers);
    return response;
  }

  #headers(): Headers {
    const headers = new Headers();
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    if (pairs.length > 0) headers.set("Cookie", pairs.join("; "));
    return headers;
  }
}
