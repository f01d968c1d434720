import type { RouterContextProvider } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { now } from "#platform/clock.server.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import { applicationInput, REQUIRED_FIELDS_MISSING } from "./application.input.ts";
import {
  APPLICATION_LIMIT,
  applicationLimitKey,
  NAME_TAKEN,
  pendingMessage,
  TOO_MANY_APPLICATIONS,
} from "./application-messages.ts";
import { findOpenApplication } from "./applications.server.ts";
import { applyAsTipster } from "./apply-as-tipster.server.ts";

/** Handles the application form. */
export async function handleApplication({
  form,
  context,
}: {
  form: FormData;
  context: Readonly<RouterContextProvider>;
}) {
  return await handleForm(form, {
    input: applicationInput,
    invalid: describeInvalid,
    check: async ({ email }) => {
      // Only the owner of the address sees that an application is open. To others, a repeated application
      // appears to succeed, so that they cannot find out who has applied.
      const viewer = await findViewer(context);
      const waiting = viewer?.email === email ? await findOpenApplication(email) : null;
      if (waiting) return pendingMessage(waiting.sentAt);
      const { clientAddress } = getRequestDetails(context);
      return (await isWithinLimit(applicationLimitKey(clientAddress), APPLICATION_LIMIT))
        ? null
        : [TOO_MANY_APPLICATIONS, 429];
    },
    // The form states that applying agrees to the terms.
    run: (application) => applyAsTipster(application, { agreedAt: now() }),
    done: () => ({ ok: true as const }),
    refusals: { "display-name-taken": { errors: { displayName: NAME_TAKEN }, status: 409 } },
    keep: Object.keys(applicationInput.entries),
  });
}

/** Returns the message above the form (missing fields first) and the messages by field. */
function describeInvalid(errors: Record<string, string>) {
  const messages = Object.values(errors);
  return {
    title: "Validation Error",
    message: messages.includes(REQUIRED_FIELDS_MISSING) ? REQUIRED_FIELDS_MISSING : messages[0],
    errors,
  };
}
