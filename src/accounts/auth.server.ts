import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { deleteSessionCookie, setSessionCookie } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import * as v from "valibot";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { sessionCookieOptions } from "#platform/http/cookies.server.ts";
import { computeHash, verifyHash } from "./password/password-hash.server.ts";
import { computeSessionExpiry } from "./session-token.server.ts";
import { credentials, sessions, users, verifications } from "./tables.server.ts";

/** The longest lifetime browsers allow for a cookie. The session row holds the real expiry. */
const COOKIE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

function createAuth() {
  const cookie = sessionCookieOptions();
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
      expiresIn: COOKIE_MAX_AGE_SECONDS,
      additionalFields: { codeVerifiedAt: { type: "date", required: false, input: false } },
    },
    databaseHooks: {
      session: {
        create: {
          // Uses the application clock, which tests can freeze.
          before: async (session) => ({
            data: {
              ...session,
              createdAt: now(),
              updatedAt: now(),
              expiresAt: computeSessionExpiry(),
            },
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
    // Replaced by the limits in rate-limits.server.ts, which are stored in the database.
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
              body: v.object({ userId: v.string(), codeVerifiedAt: v.nullable(v.date()) }),
            },
            async (c) => {
              const user = await c.context.internalAdapter.findUserById(c.body.userId);
              if (!user) throw new APIError("NOT_FOUND");
              const session = await c.context.internalAdapter.createSession(user.id, false, {
                codeVerifiedAt: c.body.codeVerifiedAt,
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

let cached: { auth: ReturnType<typeof createAuth>; database: unknown } | null = null;

function auth() {
  if (cached?.database !== database()) cached = { auth: createAuth(), database: database() };
  return cached.auth;
}

/** The result of checking a password. On success, `headers` sets the cookie of the new session. */
export type SignInWithPasswordResult =
  | { ok: true; userId: string; headers: Headers }
  | { ok: false; refusal: "wrong-credentials" | "not-confirmed" };

/**
 * Starts a session with an email address and a password. Takes as long for an unknown address as
 * for a wrong password. Throws HashQueueFullError when the hash queue is full.
 */
export async function signInWithPassword(
  email: string,
  password: string,
): Promise<SignInWithPasswordResult> {
  try {
    const { headers, response } = await auth().api.signInEmail({
      body: { email, password },
      returnHeaders: true,
    });
    return { ok: true, userId: response.user.id, headers: pickSessionCookie(headers) };
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
 * Starts a session for an authenticated user and returns the headers that set its cookie. Throws if
 * the account requires a code and none was verified.
 */
export async function createSession(userId: string, codeVerifiedAt: Date | null): Promise<Headers> {
  const body = { userId, codeVerifiedAt };
  const { headers } = await auth().api.startSession({ body, returnHeaders: true });
  return pickSessionCookie(headers);
}

/** Returns headers that delete the session cookie. */
export async function expireSessionCookie(): Promise<Headers> {
  const { headers } = await auth().api.expireCookie({ returnHeaders: true });
  return pickSessionCookie(headers);
}

function pickSessionCookie(source: Headers): Headers {
  const headers = new Headers();
  for (const cookie of source.getSetCookie())
    if (cookie.startsWith(`${sessionCookieOptions().name}=`)) headers.append("Set-Cookie", cookie);
  return headers;
}
