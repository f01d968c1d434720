/** The response to a request; status 0 means that the connection failed or timed out. */
export type ClientResponse = {
  status: number;
  ms: number;
  retryAfter: string | null;
  text: string;
};

export type RequestOptions = {
  method?: string;
  cookie?: string;
  json?: unknown;
  form?: Record<string, string>;
  body?: string;
  headers?: Record<string, string>;
  /** The client address that the proxy reports. */
  clientAddress?: string;
  timeoutMs?: number;
};

/** The timeout of a request in milliseconds. */
export const CLIENT_TIMEOUT_MS = 30_000;

/** Sends a request and never throws: a failed connection returns status 0. */
export async function sendRequest(
  origin: string,
  path: string,
  request: RequestOptions = {},
): Promise<ClientResponse> {
  const { json, form, cookie, clientAddress } = request;
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
  if (clientAddress) headers["x-forwarded-for"] = clientAddress;
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  try {
    const response = await fetch(origin + path, {
      method: request.method ?? (body === undefined ? "GET" : "POST"),
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(request.timeoutMs ?? CLIENT_TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const retryAfter = response.headers.get("retry-after");
    return { status: response.status, ms: elapsedMs(), retryAfter, text };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { status: 0, ms: elapsedMs(), retryAfter: null, text: String(cause) };
  }
}
