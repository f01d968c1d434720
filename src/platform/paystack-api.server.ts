import * as v from "valibot";
import { env } from "./env.server.ts";
import { GatewayError } from "./gateway-error.ts";
import { buildLocalUrl } from "./local-url.server.ts";

// Calls of Paystack's API, for payments and for payouts. It answers `{status, message, data, meta}`, with `status: false` for a refused request.

/** Where the demo's fake answers. */
export const FAKE_API_PATH = "/demo/paystack";

const TIMEOUT_MS = 10_000;
export const PAGE_SIZE = 100;
/** More pages mean that a filter was ignored: then the list would be that of the whole account. */
const MAX_PAGES = 50;

const envelopeSchema = v.object({
  status: v.boolean(),
  message: v.nullish(v.string()),
  code: v.nullish(v.string()),
  data: v.optional(v.unknown()),
});

/** Thrown for a request that Paystack answered with a refusal. */
export class PaystackRefusal extends GatewayError {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { message, code }: { message: string; code: string }) {
    // Our key, its permissions or our request rate, rather than this request.
    const problem = [401, 403, 429].includes(status) ? "unavailable" : "refused";
    super(message, { problem });
    this.status = status;
    this.code = code;
  }
}

type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;

/** Parses JSON. A whole number of more than 53 bits, as ids can be, is returned as its text. */
export function parseJson(text: string): unknown {
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value,
  );
}

type Query = Record<string, string | number>;

/** Reads something. Without an answer, the provider is unavailable. */
export async function get(path: string, query: Query = {}): Promise<unknown> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  const target = search.size > 0 ? `${path}?${search}` : path;
  return await send(target, { method: "GET" }, "unavailable");
}

/** Writes something. Without an answer, it may have been carried out. */
export async function post(path: string, body: Record<string, unknown>): Promise<unknown> {
  return await send(path, { method: "POST", body: JSON.stringify(body) }, "unknown-outcome");
}

/** Reads every page of a list. */
export async function list(path: string, query: Query): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const data = await get(path, { ...query, perPage: PAGE_SIZE, page });
    if (!Array.isArray(data))
      throw new GatewayError("the provider returned no list", { problem: "unavailable" });
    items.push(...data);
    if (data.length < PAGE_SIZE) return items;
  }
  throw new GatewayError(`the provider returned more than ${MAX_PAGES} pages of ${path}`, {
    problem: "unavailable",
  });
}

async function send(
  target: string,
  init: RequestInit,
  withoutAnswer: "unavailable" | "unknown-outcome",
): Promise<unknown> {
  const { apiBase, isFake, secretKey } = env().paystack;
  const base =
    apiBase ?? (isFake ? `${buildLocalUrl()}${FAKE_API_PATH}` : "https://api.paystack.co");
  let status: number;
  let answer: unknown;
  try {
    const response = await fetch(base + target, {
      ...init,
      headers: { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" },
      // The key is never sent to another host.
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    answer = parseJson(await response.text());
  } catch (error) {
    throw new GatewayError(error instanceof Error ? error.message : "no response", {
      problem: withoutAnswer,
      cause: error,
    });
  }
  const envelope = v.safeParse(envelopeSchema, answer);
  if (status >= 500 || (status < 400 && !envelope.success))
    throw new GatewayError(`the provider answered ${status}`, { problem: withoutAnswer });
  if (status < 400 && envelope.success && envelope.output.status) return envelope.output.data;
  const { message, code } = envelope.success ? envelope.output : {};
  throw new PaystackRefusal(status, {
    message: message ?? `the provider answered ${status}`,
    code: code ?? "",
  });
}

/** Returns the data of an answer as its schema reads it. Throws this problem when it does not match. */
export function parseAnswer<T extends v.GenericSchema>(
  schema: T,
  data: unknown,
  problem: GatewayError["problem"],
): v.InferOutput<T> {
  const parsed = v.safeParse(schema, data);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue) ?? "data";
  throw new GatewayError(`the provider's answer cannot be read: ${path}`, { problem });
}

/** Returns whether Paystack refused a reference because it was used before. */
export function isDuplicateReference(error: unknown): boolean {
  return (
    error instanceof PaystackRefusal &&
    (error.code === "duplicate_reference" || /duplicate/i.test(error.message))
  );
}

/**
 * Returns whether Paystack says that it has no such transfer, in its own words: the page of a proxy says nothing about
 * the transfer.
 */
export function isUnknownTransfer(error: unknown): boolean {
  return (
    error instanceof PaystackRefusal &&
    error.problem === "refused" &&
    (error.code === "transfer_not_found" || /not found/i.test(error.message))
  );
}
