const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Returns the request with a body that can be parsed as a form; a missing body becomes an empty
 * form. Returns 415 for another content type and 400 for an incomplete multipart form.
 */
export async function withFormBody(request: Request): Promise<Request | 400 | 415> {
  const contentType = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (contentType === FORM_TYPE) return request;
  const body = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  if (body.byteLength === 0) {
    headers.set("Content-Type", FORM_TYPE);
    return new Request(request.url, { method: request.method, headers, signal: request.signal });
  }
  if (contentType !== "multipart/form-data") return 415;
  const { method, signal } = request;
  const createRequest = () => new Request(request.url, { method, headers, signal, body });
  return await createRequest()
    .formData()
    .then(createRequest, () => 400 as const);
}
