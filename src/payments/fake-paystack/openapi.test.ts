import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { api } from "#api.server.ts";
import { env } from "#platform/env.server.ts";
import { FAKE_API_PATH, parseJson } from "#platform/paystack-api.server.ts";
import { createRefund, disputePayment, payByCard } from "./transactions.server.ts";

// Compares the answers of the fake with Paystack's OpenAPI file: github.com/PaystackOSS/openapi, version 1.0.0 of
// 24 October 2025. The excerpt below was written by hand: of each call it has the fields that the application or the fake
// uses, with the types of the file. "any" is a field without a type, and "?" one that can be null.
//
// The file does not describe: the answers to refused requests beyond status and message, which statuses exist, webhooks,
// what POST /transfer does with a repeated reference, and amounts that are texts. Where the file says nothing, the fake
// follows the reference pages of paystack.com/docs.

type Fields = Record<string, string>;
type Described = { fields: Fields; notDescribed?: Fields };

const TRANSACTION: Fields = {
  id: "integer",
  domain: "string",
  status: "string",
  reference: "string",
  amount: "integer",
  requested_amount: "integer",
  currency: "string",
  channel: "string",
  paid_at: "string?",
  created_at: "string",
  metadata: "any",
  customer: "object",
  authorization: "object",
  "authorization.channel": "string",
  "authorization.brand": "string",
  "authorization.last4": "string",
  "authorization.signature": "string",
  "authorization.country_code": "string",
  "authorization.reusable": "boolean",
  "authorization.account_name": "any",
};
const RECIPIENT: Fields = {
  id: "integer",
  recipient_code: "string",
  type: "string",
  name: "string",
  active: "boolean",
  currency: "string",
  description: "string",
  email: "string",
  domain: "string",
  integration: "integer",
  metadata: "object?",
  is_deleted: "boolean",
  isDeleted: "boolean",
  createdAt: "string",
  updatedAt: "string",
  details: "object",
  "details.authorization_code": "string?",
  "details.account_number": "string?",
  "details.account_name": "string?",
  "details.bank_code": "string",
  "details.bank_name": "string",
};
const TRANSFER: Fields = {
  id: "integer",
  domain: "string",
  integration: "integer",
  status: "string",
  reference: "string",
  amount: "integer",
  currency: "string",
  reason: "string",
  source: "string",
  source_details: "any",
  failures: "any",
  titan_code: "any",
  transfer_code: "string",
  transferred_at: "any",
  createdAt: "string",
  updatedAt: "string",
};
const REFUND: Fields = {
  id: "integer",
  domain: "string",
  status: "string",
  amount: "integer",
  currency: "string",
  merchant_note: "string",
  createdAt: "string",
};
const prefixed = (prefix: string, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [`${prefix}.${name}`, type]));

/** The excerpt. Fields of the fake that the file does not have are named with the reason. */
const CALLS: Record<string, Described> = {
  "POST /transaction/initialize": {
    fields: { authorization_url: "string", access_code: "string", reference: "string" },
  },
  "GET /transaction/verify": { fields: TRANSACTION },
  "GET /transaction": { fields: TRANSACTION },
  "POST /refund": {
    fields: {
      ...REFUND,
      transaction: "object",
      "transaction.id": "integer",
      "transaction.reference": "string",
      "transaction.amount": "integer",
      "transaction.currency": "string",
    },
    notDescribed: {
      "transaction.*":
        "the file leaves out fields of the transaction that the reference page shows",
      transaction_reference: "only in the list of refunds",
      dispute: "only in the list of refunds",
    },
  },
  "GET /refund": {
    fields: { ...REFUND, transaction: "integer", transaction_reference: "string", dispute: "any" },
  },
  "GET /dispute": {
    fields: {
      id: "integer",
      domain: "string",
      refund_amount: "integer",
      currency: "string",
      status: "string",
      resolution: "any",
      category: "string",
      dueAt: "any",
      createdAt: "string",
      transaction: "object",
      "transaction.id": "integer",
      "transaction.reference": "string",
    },
    notDescribed: { "transaction.*": "its other fields are not read" },
  },
  "POST /bank/validate": {
    fields: {
      verified: "boolean",
      verificationMessage: "string",
      accountAcceptsDebits: "boolean",
      accountAcceptsCredits: "boolean",
      accountOpenForMoreThanThreeMonths: "boolean",
      accountHolderMatch: "boolean",
      accountOpen: "boolean",
    },
  },
  "GET /balance": { fields: { currency: "string", balance: "integer" } },
  "POST /transferrecipient": { fields: RECIPIENT },
  "POST /transfer": {
    fields: {
      ...TRANSFER,
      recipient: "integer",
      request: "integer",
      transfersessionid: "array",
      transfertrials: "array",
    },
  },
  "GET /transfer/verify": {
    fields: {
      ...TRANSFER,
      gateway_response: "string?",
      session: "object",
      "session.provider": "any",
      "session.id": "any",
      recipient: "object",
      ...prefixed("recipient", RECIPIENT),
    },
  },
  "GET /transfer": {
    fields: {
      ...TRANSFER,
      session: "object",
      "session.provider": "any",
      "session.id": "any",
      recipient: "object",
      ...prefixed("recipient", RECIPIENT),
    },
    notDescribed: { gateway_response: "only of one transfer" },
  },
};

const answers: Record<string, { status: number; body: unknown }> = {};

async function call(name: string, path: string, body?: Record<string, unknown>): Promise<unknown> {
  const [method = "GET"] = name.split(" ");
  const response = await api().request(FAKE_API_PATH + path, {
    method,
    headers: {
      Authorization: `Bearer ${env().paystack.secretKey}`,
      "Content-Type": "application/json",
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = parseJson(await response.text());
  answers[name] = { status: response.status, body: answer };
  return (answer as { data: unknown }).data;
}

beforeAll(async () => {
  const reference = `${randomUUID()}.1`;
  await call("POST /transaction/initialize", "/transaction/initialize", {
    email: "ann@furlong.test",
    amount: "4000",
    currency: "ZAR",
    reference,
    callback_url: "http://localhost/success",
    metadata: { cancel_action: "http://localhost/", custom_fields: [{ value: "Pack" }] },
  });
  await payByCard(reference, "4084084084084081");
  const paid = (await call("GET /transaction/verify", `/transaction/verify/${reference}`)) as {
    id: string;
  };
  await call("GET /transaction", "/transaction?status=success");
  await call("POST /refund", "/refund", {
    transaction: String(paid.id),
    amount: 100,
    currency: "ZAR",
    merchant_note: "note",
  });
  await createRefund(reference, { amountCents: 100, merchantNote: "note" });
  await call("GET /refund", `/refund?transaction=${paid.id}`);
  await disputePayment(reference, "open");
  await call("GET /dispute", `/dispute?transaction=${paid.id}`);
  const account = { account_number: "1234564321", bank_code: "632005" };
  await call("POST /bank/validate", "/bank/validate", {
    ...account,
    country_code: "ZA",
    account_name: "Ann Bron",
    account_type: "personal",
    document_type: "identityNumber",
    document_number: "8001015009087",
  });
  await call("GET /balance", "/balance");
  const recipient = (await call("POST /transferrecipient", "/transferrecipient", {
    ...account,
    type: "basa",
    name: "Ann Bron",
    currency: "ZAR",
  })) as { recipient_code: string };
  const transferReference = randomUUID();
  await call("POST /transfer", "/transfer", {
    source: "balance",
    amount: 10_000,
    currency: "ZAR",
    recipient: recipient.recipient_code,
    reference: transferReference,
    reason: "FURLONG",
  });
  await call("GET /transfer/verify", `/transfer/verify/${transferReference}`);
  await call("GET /transfer", "/transfer?status=success");
});

/** Returns the fields of an object and of the objects in it, by their paths. */
function listFields(value: unknown, prefix = ""): [path: string, value: unknown][] {
  return Object.entries(value as object).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const isObject = typeof field === "object" && field !== null && !Array.isArray(field);
    return [[path, field], ...(isObject ? listFields(field, `${path}.`) : [])];
  });
}

/** Integers of more than 53 bits are read as texts. */
function isOfType(value: unknown, type: string): boolean {
  if (type === "any") return true;
  if (type.endsWith("?")) return value === null || isOfType(value, type.slice(0, -1));
  if (type === "integer") return Number.isInteger(value) || /^\d{16,}$/.test(String(value));
  if (type === "array") return Array.isArray(value);
  return typeof value === type && value !== null;
}

describe("the fake Paystack", () => {
  it.each(Object.entries(CALLS))("answers %s as the OpenAPI file describes", (name, described) => {
    const { status, body } = answers[name] ?? {};
    expect(status).toBe(name === "POST /transferrecipient" ? 201 : 200);
    expect(body).toMatchObject({ status: true, message: expect.any(String) });
    const { data } = body as { data: unknown };
    const [item] = Array.isArray(data) ? data : [data];
    const fields = new Map(listFields(item));
    const wrong = Object.entries(described.fields).filter(
      ([path, type]) => !fields.has(path) || !isOfType(fields.get(path), type),
    );
    expect(wrong).toEqual([]);
    const extra = [...fields.keys()].filter((path) => {
      const isNamed = [path, `${path.split(".")[0]}.*`].some(
        (key) => described.notDescribed?.[key] !== undefined,
      );
      return described.fields[path] === undefined && !isNamed && !path.startsWith("customer.");
    });
    expect(extra).toEqual([]);
  });
});
