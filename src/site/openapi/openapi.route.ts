import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { env } from "#platform/env.server.ts";
import type { HttpContext } from "#platform/http/http.server.ts";
import {
  applicationBody,
  checkoutInput,
  checkoutResponse,
  errorBody,
  meResponse,
  notificationBody,
  okResponse,
  profileBody,
  profileImageBody,
  raceCardsResponse,
  receiptInput,
  recordResponse,
  signInInput,
  standingsResponse,
  successResponse,
  unlockRefusal,
  unlockResponse,
  venuesResponse,
  welcomeInput,
} from "./api-shapes.ts";

type Schema = v.GenericSchema;
type Operation = {
  summary: string;
  parameters?: { name: string; in: "path" | "query" | "header"; description: string }[];
  body?: Schema;
  responses: Record<number, { description: string; schema?: Schema }>;
};

const errorResponse = (description: string) => ({ description, schema: errorBody });
const notSignedIn = errorResponse("Not logged in");
const invalidBody = {
  400: errorResponse("Invalid request"),
  413: errorResponse("Too large"),
  415: errorResponse("Not JSON"),
};

const notACreator = errorResponse("Not a tipster or analyst");

/** The operations of the JSON API. Tests compare them with the running server. */
export const OPERATIONS: Record<string, Partial<Record<"get" | "post", Operation>>> = {
  "/api/sign-in": {
    post: {
      summary: "Signs in and sets the session cookie",
      body: signInInput,
      responses: {
        200: { description: "Logged in", schema: meResponse },
        ...invalidBody,
        401: {
          description: "Wrong email, password or code, or the code is missing",
          schema: errorBody,
        },
        403: { description: "The address is not confirmed yet", schema: errorBody },
        429: { description: "Too many attempts", schema: errorBody },
        503: { description: "Server busy. See Retry-After.", schema: errorBody },
      },
    },
  },
  "/api/sign-out": {
    post: {
      summary: "Ends the session",
      responses: {
        200: { description: "Logged out" },
        503: errorResponse("Logged out in this browser, but the session has not ended"),
      },
    },
  },
  "/api/me": {
    get: {
      summary: "The logged-in user and their coin balance",
      responses: { 200: { description: "The user", schema: meResponse }, 401: notSignedIn },
    },
  },
  "/api/race-cards": {
    get: {
      summary: "Race cards visible to the caller, next off first",
      parameters: [
        { name: "venue", in: "query", description: "A venue's slug, name or id, in any case" },
        { name: "date", in: "query", description: "A race date, YYYY-MM-DD" },
        { name: "cursor", in: "query", description: "The `next` value of the previous page" },
      ],
      responses: {
        200: { description: "A page of race cards", schema: raceCardsResponse },
        400: errorResponse("Invalid date, or a cursor from another list"),
        404: { description: "Venue not found", schema: errorBody },
      },
    },
  },
  "/api/race-cards/{id}/unlock": {
    post: {
      summary:
        "Opens a race card for 4 coins. If the caller has already opened it, the same answer is returned at no charge. " +
        "The body is optional. If `acknowledgedRacesRun` is given, the request is refused when more races than that have been run.",
      parameters: [
        { name: "id", in: "path", description: "The race card" },
        {
          name: "Idempotency-Key",
          in: "header",
          description:
            "Identifies the request, so that it can be retried safely; at most 200 characters",
        },
      ],
      responses: {
        200: { description: "Opened: remaining coins and tips", schema: unlockResponse },
        ...invalidBody,
        401: { description: "Not logged in", schema: unlockRefusal },
        402: { description: "Too few coins, or coins are owed", schema: unlockRefusal },
        403: { description: "The caller's own race card", schema: unlockRefusal },
        404: { description: "No such race card", schema: unlockRefusal },
        409: { description: "Not on sale, or more races have been run", schema: unlockRefusal },
      },
    },
  },
  "/api/leaderboard": {
    get: {
      summary: "Creators by sales score: sales × 50 + coins earned × 5 + tips × 20",
      responses: { 200: { description: "The first fifty creators", schema: standingsResponse } },
    },
  },
  "/api/venues": {
    get: {
      summary: "Active venues. null means not reported.",
      responses: { 200: { description: "The venues", schema: venuesResponse } },
    },
  },
  "/.netlify/functions/create-checkout-session": {
    post: {
      summary:
        "Creates a checkout session for a coin pack, or for one race card as a guest. Send an Idempotency-Key to retry safely. " +
        "A repeated request with the same key has no further effect.",
      parameters: [
        {
          name: "Idempotency-Key",
          in: "header",
          description:
            "Identifies the request, so that it can be retried safely; at most 200 characters",
        },
      ],
      body: checkoutInput,
      responses: {
        200: { description: "The session id and the payment page's URL", schema: checkoutResponse },
        ...invalidBody,
        401: notSignedIn,
        403: errorResponse("The offer is for guests"),
        409: errorResponse(
          "Not on sale, the email is already registered, or the checkout session has expired",
        ),
        422: errorResponse(
          "Price, coins, currency or return URL don't match, or the terms were not accepted",
        ),
        429: errorResponse("Too many attempts"),
        503: errorResponse("The payment provider is not responding"),
      },
    },
  },
  "/.netlify/functions/send-purchase-receipt": {
    post: {
      summary: "Sends the receipt for the caller's own purchase again",
      body: receiptInput,
      responses: {
        200: { description: "Queued", schema: okResponse },
        ...invalidBody,
        401: notSignedIn,
        403: errorResponse("Not the caller's own email address"),
        404: errorResponse("The caller has no such purchase"),
        429: errorResponse("Sent a moment ago"),
      },
    },
  },
  "/.netlify/functions/send-welcome-email-sendgrid": {
    post: {
      summary: "Sends the caller the confirmation email, or the welcome email, again",
      body: welcomeInput,
      responses: {
        200: { description: "Queued", schema: okResponse },
        ...invalidBody,
        401: notSignedIn,
        403: errorResponse("Not the caller's own email address"),
        429: errorResponse("Limit of three emails an hour reached. See Retry-After."),
      },
    },
  },
  "/.netlify/functions/send-tipster-application": {
    post: {
      summary: "Submits a tipster application",
      body: applicationBody,
      responses: {
        200: { description: "Filed", schema: successResponse },
        ...invalidBody,
        409: errorResponse("The display name is taken"),
        422: errorResponse("Something is missing or too long"),
        429: errorResponse("Too many applications"),
      },
    },
  },
  "/.netlify/functions/send-tip-notification": {
    post: {
      summary: "Sends the admin notice for the caller's own batch again",
      body: notificationBody,
      responses: {
        200: { description: "Queued", schema: successResponse },
        ...invalidBody,
        401: notSignedIn,
        403: notACreator,
        404: errorResponse("No such batch of the caller's"),
        429: errorResponse("Sent a moment ago"),
      },
    },
  },
  "/.netlify/functions/update-tipster-profile": {
    post: {
      summary: "Updates the logged-in creator's public profile",
      body: profileBody,
      responses: {
        200: { description: "Changed", schema: successResponse },
        ...invalidBody,
        401: notSignedIn,
        403: notACreator,
        409: errorResponse("The display name is taken"),
        422: errorResponse("Something is missing or too long"),
      },
    },
  },
  "/.netlify/functions/update-tipster-profile-image": {
    post: {
      summary: "Replaces the logged-in creator's photo: a data URL of a JPEG, PNG or WebP",
      body: profileImageBody,
      responses: {
        200: { description: "Changed", schema: successResponse },
        ...invalidBody,
        401: notSignedIn,
        403: notACreator,
        415: errorResponse("Not JSON, or not a supported image"),
      },
    },
  },
};

const recordParameters: Operation["parameters"] = [
  { name: "slug", in: "path", description: "The tipster, as in the URL of their page" },
];
const noSuchRecord = errorResponse("No such tipster");

/** Downloads outside the JSON API. The page /records explains the columns of records. */
export const DOWNLOADS: Record<string, { get: Operation }> = {
  "/records/{slug}.json": {
    get: {
      summary:
        "The record of a tipster: figures, and every tip whose race has an official result or whose race date is over",
      parameters: recordParameters,
      responses: {
        200: { description: "The record", schema: recordResponse },
        404: noSuchRecord,
      },
    },
  },
  "/records/{slug}.csv": {
    get: {
      summary: "The tips of the same record as a CSV file, with amounts in rand",
      parameters: recordParameters,
      responses: { 200: { description: "A CSV file" }, 404: noSuchRecord },
    },
  },
  "/results/{date}/{venue}.csv": {
    get: {
      summary:
        "The official results of a meeting as a CSV file: one row per runner, with the source",
      parameters: [
        { name: "date", in: "path", description: "The race date, such as 2026-11-29" },
        { name: "venue", in: "path", description: "The venue, as in the URL of its page" },
      ],
      responses: {
        200: { description: "A CSV file" },
        404: errorResponse("No such venue, or no meeting reported for the date"),
      },
    },
  },
};

/** GET /openapi.json: the JSON API as OpenAPI 3.1. */
export function openApi(c: HttpContext): Response {
  const paths = Object.fromEntries(
    Object.entries({ ...OPERATIONS, ...DOWNLOADS }).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          describeOperation(operation),
        ]),
      ),
    ]),
  );
  return c.json({
    openapi: "3.1.0",
    info: { title: "Furlong", version: "1", license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: env().appUrl }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "furlong",
          description: "Set by /api/sign-in",
        },
      },
    },
  });
}

function describeOperation(operation: Operation) {
  const content = (schema: Schema) => ({
    content: { "application/json": { schema: buildJsonSchema(schema) } },
  });
  return {
    summary: operation.summary,
    ...(operation.parameters
      ? {
          parameters: operation.parameters.map((parameter) => ({
            ...parameter,
            required: parameter.in === "path",
            schema: { type: "string" },
          })),
        }
      : {}),
    ...(operation.body ? { requestBody: { required: true, ...content(operation.body) } } : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, { description, schema }]) => [
        status,
        { description, ...(schema ? content(schema) : {}) },
      ]),
    ),
  };
}

function buildJsonSchema(schema: Schema) {
  const { $schema: _, ...jsonSchema } = toJsonSchema(schema, { target: "draft-2020-12" });
  return jsonSchema;
}
