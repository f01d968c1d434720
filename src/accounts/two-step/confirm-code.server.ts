import { and, eq, gt } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { parseSessionToken } from "../session-token.server.ts";
import { sessions } from "../tables.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { findKey, readDemoCode } from "./find-key.server.ts";
import { MAX_CODE_LENGTH } from "./two-step.input.ts";
import { tryCode } from "./verify-code.server.ts";

type Context = Readonly<RouterContextProvider>;

/** How long a verified code counts for further actions of the same session. */
const CODE_LIFETIME_MS = 15 * 60 * 1000;

/** Whether actions that move money need a code in this session. `demoCode` is shown beside the field in the demo. */
export type CodeState = {
  status: "confirmed" | "code-required" | "two-step-off";
  demoCode: string | null;
};

/** Returns whether the session of a request has verified a code in the last 15 minutes. */
export async function readCodeState(viewer: Viewer, context: Context): Promise<CodeState> {
  const stored = await findKey(viewer);
  if (!stored) return { status: "two-step-off", demoCode: null };
  const token = readToken(context);
  const verifiedAfter = new Date(now().getTime() - CODE_LIFETIME_MS);
  const confirmed = await database().$count(
    sessions,
    and(eq(sessions.token, token), gt(sessions.codeVerifiedAt, verifiedAfter)),
  );
  return confirmed > 0
    ? { status: "confirmed", demoCode: null }
    : { status: "code-required", demoCode: readDemoCode(stored.key) };
}

export type CodeConfirmation =
  | "confirmed"
  | "code-required"
  | "two-step-off"
  | "wrong-code"
  | "too-many-attempts";

/**
 * Confirms an action that moves money: with a code of two-step login, or without one within 15 minutes of the last.
 * Each code works once. Refuses a viewer without two-step login.
 */
export async function confirmCode(
  viewer: Viewer,
  context: Context,
  code: string,
): Promise<CodeConfirmation> {
  const { status } = await readCodeState(viewer, context);
  if (status !== "code-required" || code.trim() === "") return status;
  if (code.length > MAX_CODE_LENGTH) return "wrong-code";
  const result = await tryCode(viewer, code, {
    attemptKey: `code:action:${viewer.id}`,
    wrongCodesEmail: "wrong-action-codes",
  });
  if (!result.ok) return result.refusal;
  await database()
    .update(sessions)
    .set({ codeVerifiedAt: now() })
    .where(eq(sessions.token, readToken(context)));
  return "confirmed";
}

function readToken(context: Context): string {
  return parseSessionToken(getRequestDetails(context).cookies) ?? "";
}
