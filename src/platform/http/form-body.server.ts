const FORM = "application/x-www-form-urlencoded";

/**
 * The request with a body that a page's form may have, which is then sure to be read as one: no body is an
 * empty form. A refusal where it is something else, or a form that breaks off.
 */
export async function withFormBody(request: Request): Promise<Request | 400 | 415> {
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type === FORM) return request;
  const body = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  if (body.byteLength === 0) {
    headers.set("Content-Type", FORM);
    return new Request(request.url, { method: request.method, headers, signal: request.signal });
  }
  if (type !== "multipart/form-data") return 415;
  const { method, signal } = request;
  const again = () => new Request(request.url, { method, headers, signal, body });
  return await again()
    .formData()
    .then(again, () => 400 as const);
}
