import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** A change to the set of admins. `actor` and `person` are names; `email` is the person's address. */
export type AdminsChange =
  | { event: "invited"; actor: string; email: string }
  | { event: "accepted"; person: string; email: string }
  | { event: "removed"; actor: string; person: string; email: string; reason: string }
  | { event: "stepped-down"; person: string; email: string; reason: string };

/** Sent to the admins when someone is invited as an admin, accepts, is removed or steps down. */
export async function renderAdminsChangedEmail(change: AdminsChange) {
  const { subject, text } = formatChange(change);
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>{text}</MailText>
        {"reason" in change ? <MailText>{`Reason: ${change.reason}`}</MailText> : null}
        <MailButton href={`${env().appUrl}/admin/admins`}>View the admins</MailButton>
        <MailNote>
          If you didn't expect this, check the admins and the audit log now. Remove anyone who
          should not have access.
        </MailNote>
      </MailLayout>,
    )),
  };
}

function formatChange(change: AdminsChange): { subject: string; text: string } {
  switch (change.event) {
    case "invited":
      return {
        subject: "An admin has been invited",
        text: `${change.actor} has invited ${change.email} to be a Furlong admin.`,
      };
    case "accepted":
      return {
        subject: "An admin invitation was accepted",
        text: `${change.person} (${change.email}) has accepted the admin role. The admin area opens for them once two-step login is on.`,
      };
    case "removed":
      return {
        subject: "An admin has been removed",
        text: `${change.actor} has removed ${change.person} (${change.email}) as a Furlong admin.`,
      };
    case "stepped-down":
      return {
        subject: "An admin has stepped down",
        text: `${change.person} (${change.email}) has stepped down as a Furlong admin.`,
      };
  }
}
