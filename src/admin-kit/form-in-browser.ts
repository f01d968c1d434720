import { type ClientActionFunctionArgs, data } from "react-router";
import type { FormAnswer } from "./form-answer.ts";
import { noResponseMessageFor } from "./no-response-message-for.ts";

/** Keeps the input of a form and shows a message when the server does not respond. */
export async function formInBrowser({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction<FormAnswer>();
  } catch (error) {
    const message = noResponseMessageFor(error);
    if (message === null) throw error;
    return data<FormAnswer>({ ok: false, message }, { status: 503 });
  }
}
