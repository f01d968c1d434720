import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { deleteSessionCookie, setSessionCookie } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import * as v from "valibot";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { sessionCookie } from "./cookies.server.ts";
import { computeHash, verifyHash } from "./password/password-hash.server.ts";
import { newSessionExpiry } from "./session-token.server.ts";
import { credentials, sessions, users, verifications } from "./tables.server.ts";

/** As long as a browser keeps any cookie. The session's own row says when it is over. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

function make() {
  const cookie = sessionCookie();
  return betterAuth({
    baseURL: env().appUrl,
    secret: env().authSecret,
    database: drizzleAdapter(database(), {
      provider: "pg",
      schema: { user: users, session: sessions, account: credentials, verification: verifications },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: 1,
      password: {
        hash: computeHash,
        verify: ({ hash, password }) => verifyHash(hash, password),
      },
    },
    session: {
      expiresIn: COOKIE_SECONDS,
      additionalFields: { codeVerifiedAt: { type: "date", required: false, input: false } },
    },
    databaseHooks: {
      session: {
        create: {
          // Business time is the product's clock, not the machine's.
          before: async (session) => ({
            data: { ...session, createdAt: now(), updatedAt: now(), expiresAt: newSessionExpiry() },
          }),
        },
      },
    },
    advanced: {
      database: { generateId: false },
      useSecureCookies: false,
      cookies: { session_token: { name: cookie.name, attributes: { secure: cookie.secure } } },
      ipAddress: { disableIpTracking: true },
    },
    // Ours count in the database, by account first: see rate-limits.server.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [
      {
        id: "furlong",
        endpoints: {
          startSession: createAuthEndpoint.serverOnly(
            {
              method: "POST",
              body: v.object({ userId: v.string(), isCodeGiven: v.boolean() }),
            },
            async (c) => {
              const user = await c.context.internalAdapter.findUserById(c.body.userId);
              if (!user) throw new APIError("NOT_FOUND");
              const session = await c.context.internalAdapter.createSession(user.id, false, {
                codeVerifiedAt: c.body.isCodeGiven ? now() : null,
              });
              await setSessionCookie(c, { session, user });
              return c.json({ token: session.token });
            },
          ),
          expireCookie: createAuthEndpoint.serverOnly({ method: "POST" }, async (c) => {
            deleteSessionCookie(c);
            return c.json({});
          }),
        },
      },
    ],
  });
}

let made: { auth: ReturnType<typeof make>; database: unknown } | null = null;

function auth() {
  if (made?.database !== database()) made = { auth: make(), database: database() };
  return made.auth;
}

/** What a right or wrong password came to; with a session and the headers that carry its cookie. */
export type PasswordSignIn =
  | { ok: true; userId: string; headers: Headers }
  | { ok: false; refusal: "wrong-credentials" | "not-confirmed" };

/**
 * Begins a session with address and password. An unknown address takes as long to refuse as a wrong
 * password. Throws HashQueueFullError when too many passwords are being looked at.
 */
export async function signInWithPassword(email: string, password: string): Promise<PasswordSignIn> {
  try {
    const { headers, response } = await auth().api.signInEmail({
      body: { email, password },
      returnHeaders: true,
    });
    return { ok: true, userId: response.user.id, headers: onlyCookies(headers) };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    switch (error.body?.code) {
      case "EMAIL_NOT_VERIFIED":
        return { ok: false, refusal: "not-confirmed" };
      case "INVALID_EMAIL_OR_PASSWORD":
      case "INVALID_EMAIL":
      case "PASSWORD_TOO_LONG":
        return { ok: false, refusal: "wrong-credentials" };
      default:
        throw error;
    }
  }
}

/**
 * Begins a session for someone who has shown who they are; the headers carry its cookie. Throws where
 * the account signs in with a code and none was given.
 */
export async function beginSession(userId: string, isCodeGiven: boolean): Promise<Headers> {
  const body = { userId, isCodeGiven };
  const { headers } = await auth().api.startSession({ body, returnHeaders: true });
  return onlyCookies(headers);
}

/** The headers that make a browser forget its session cookie. */
export async function expireSessionCookie(): Promise<Headers> {
  const { headers } = await auth().api.expireCookie({ returnHeaders: true });
  return onlyCookies(headers);
}

function onlyCookies(from: Headers): Headers {
  const headers = new Headers();
  for (const cookie of from.getSetCookie())
    if (cookie.startsWith(`${sessionCookie().name}=`)) headers.append("Set-Cookie", cookie);
  return headers;
}
