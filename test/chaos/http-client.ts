/** What came back of a request; status 0 is that nothing did. */
export type Answer = {
  status: number;
  ms: number;
  retryAfter: string | null;
  text: string;
};

export type Request = {
  method?: string;
  cookie?: string;
  json?: unknown;
  form?: Record<string, string>;
  body?: string;
  headers?: Record<string, string>;
  /** Who asks, as the proxy in front would say. */
  from?: string;
  withinMs?: number;
};

/** A client that was told nothing for so long gives up. */
export const GIVES_UP_AFTER_MS = 30_000;

/** Asks the product something and never throws: a connection that breaks off is an answer too. */
export async function ask(origin: string, path: string, request: Request = {}): Promise<Answer> {
  const { json, form, cookie, from } = request;
  const body =
    json !== undefined
      ? JSON.stringify(json)
      : form
        ? new URLSearchParams(form).toString()
        : request.body;
  const headers: Record<string, string> = { ...request.headers };
  if (json !== undefined) headers["content-type"] ??= "application/json";
  if (form) headers["content-type"] ??= "application/x-www-form-urlencoded";
  if (cookie) headers.cookie = cookie;
  if (from) headers["x-forwarded-for"] = from;
  const beganAt = performance.now();
  const since = () => performance.now() - beganAt;
  try {
    const response = await fetch(origin + path, {
      method: request.method ?? (body === undefined ? "GET" : "POST"),
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(request.withinMs ?? GIVES_UP_AFTER_MS),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const retryAfter = response.headers.get("retry-after");
    return { status: response.status, ms: since(), retryAfter, text };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { status: 0, ms: since(), retryAfter: null, text: String(cause) };
  }
}
