import { formatCents } from "#domain/format-cents.ts";
import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Tells an applicant about the approval, with a link to set a password or accept the role. */
export async function renderApprovalEmail(approval: {
  name: string;
  displayName: string;
  hasAccount: boolean;
  /** What the creator earns per sale today. */
  earningCents: number;
  link: string;
}) {
  const subject = "Your Furlong tipster application is approved";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="Welcome to the tipsters">
        <MailText>
          {`Hello ${approval.name}, your application has been approved. You will appear as ${approval.displayName}, and you earn ${formatCents(approval.earningCents)} each time someone opens one of your race cards.`}
        </MailText>
        <MailText>
          {approval.hasAccount
            ? "You already have an account with this email address. Log in and accept the role to open your dashboard."
            : "Set a password to open your dashboard. The link works once and expires in seven days."}
        </MailText>
        <MailButton href={approval.link}>
          {approval.hasAccount ? "Accept the role" : "Set my password"}
        </MailButton>
        <MailNote>
          If you didn't apply, ignore this email. Nothing happens unless the link is used.
        </MailNote>
      </MailLayout>,
    )),
  };
}
