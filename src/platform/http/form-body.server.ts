const FORM_TYPE = "application/x-www-form-urlencoded";
/** Several times the fields of the largest form, a race day of twelve races. */
const MAX_FIELDS = 1_000;

/**
 * Returns the request with a body that can be parsed as a form; a missing body becomes an empty
 * form. Returns 415 for another content type, 400 for an incomplete multipart form, and 413 for too
 * many fields, which are counted before they are parsed.
 */
export async function withFormBody(request: Request): Promise<Request | 400 | 413 | 415> {
  const contentType = request.headers.get("Content-Type") ?? "";
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  const body = Buffer.from(await request.arrayBuffer());
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  if (body.byteLength === 0) {
    headers.set("Content-Type", FORM_TYPE);
    return new Request(request.url, { method, headers, signal });
  }
  const createRequest = () => new Request(request.url, { method, headers, signal, body });
  if (type === FORM_TYPE) return hasTooMany(body, "&") ? 413 : createRequest();
  if (type !== "multipart/form-data") return 415;
  const [, boundary = ""] = /boundary="?([^";]+)/i.exec(contentType) ?? [];
  if (boundary === "") return 400;
  if (hasTooMany(body, `--${boundary}`)) return 413;
  return await createRequest()
    .formData()
    .then(createRequest, () => 400 as const);
}

/** Whether a text occurs more than MAX_FIELDS times. Stops at the first one too many. */
function hasTooMany(body: Buffer, separator: string): boolean {
  let count = 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + 1)) {
    count += 1;
    if (count > MAX_FIELDS) return true;
  }
  return false;
}
