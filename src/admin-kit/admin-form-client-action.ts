import { type ClientActionFunctionArgs, data } from "react-router";
import type { AdminFormResult } from "./admin-form-result.ts";
import { toNoResponseMessage } from "./no-response-message.ts";

/** Keeps the input of a form and shows a message when the server does not respond. */
export async function adminFormClientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction<AdminFormResult>();
  } catch (error) {
    const message = toNoResponseMessage(error);
    if (message === null) throw error;
    return data<AdminFormResult>({ ok: false, message }, { status: 503 });
  }
}
