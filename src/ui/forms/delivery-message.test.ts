import { expect, it } from "vitest";
import { deliveryMessage } from "./delivery-message.ts";

const FORM_MESSAGE = "You have not been charged.";

it.each([
  [
    "a form that was not sent",
    { reason: "not-sent", message: null, hasFields: true },
    "No connection. Nothing was sent. What you typed is still here: try again when you're back online.",
  ],
  [
    "a form without fields that was not sent",
    { reason: "not-sent", message: null, hasFields: false },
    "No connection. Nothing was sent. Try again when you're back online.",
  ],
  [
    "a form with its own message that was not sent",
    { reason: "not-sent", message: FORM_MESSAGE, hasFields: true },
    "No connection. Nothing was sent. You have not been charged. What you typed is still here: try again when you're back online.",
  ],
  [
    "a form without a response",
    { reason: "no-response", message: null, hasFields: true },
    "We got no answer. Your request may not have arrived. What you typed is still here: check your connection and try again.",
  ],
  [
    "a form without fields and without a response",
    { reason: "no-response", message: null, hasFields: false },
    "We got no answer. Your request may not have arrived. Check your connection and try again.",
  ],
  [
    "a form with its own message and without a response",
    { reason: "no-response", message: FORM_MESSAGE, hasFields: false },
    "We got no answer. You have not been charged. Check your connection and try again.",
  ],
] as const)("explains what happened to %s", (_, submission, text) => {
  expect(deliveryMessage(submission)).toBe(text);
});
