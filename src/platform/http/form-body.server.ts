import type { Refusal } from "./refusals.ts";

const FORM_TYPE = "application/x-www-form-urlencoded";
/** Several times the fields of the largest form, a race day of twelve races. */
const MAX_FIELDS = 1_000;

/**
 * Returns the request with a body that can be parsed as a form; a missing body becomes an empty
 * form. Returns why it is refused: another content type, an incomplete multipart form, or too many
 * fields, which are counted before they are parsed.
 */
export async function withFormBody(request: Request): Promise<Request | Refusal> {
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
  if (type === FORM_TYPE) return hasTooMany(body, "&") ? "too-large" : createRequest();
  if (type !== "multipart/form-data") return "not-a-form";
  const [, boundary = ""] = /boundary="?([^";]+)/i.exec(contentType) ?? [];
  if (boundary === "") return "not-a-form";
  if (hasTooMany(body, `--${boundary}`)) return "too-large";
  return await createRequest()
    .formData()
    .then(createRequest, () => "not-a-form" as const);
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
