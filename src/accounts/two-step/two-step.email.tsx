import {
  MailButton,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

export type TwoStepEvent =
  | "on"
  | "off"
  | "new-codes"
  | "code-used"
  | "wrong-codes"
  | "wrong-action-codes";

const MESSAGES: Record<TwoStepEvent, { subject: string; text: string }> = {
  on: {
    subject: "Two-step login is on",
    text: "You now need a code from your authenticator app as well as your password to log in. All other devices have been logged out.",
  },
  off: {
    subject: "Two-step login is off",
    text: "You no longer need a code to log in.",
  },
  "new-codes": {
    subject: "You have new recovery codes",
    text: "New recovery codes were created for your account. Your old codes no longer work.",
  },
  "code-used": {
    subject: "A recovery code was used",
    text: "Someone logged in to your account with your password and a recovery code.",
  },
  "wrong-codes": {
    subject: "Five wrong codes for your account",
    text: "Someone entered the correct password of your account and then five wrong codes. They have not been logged in, and have to wait longer before each further attempt.",
  },
  "wrong-action-codes": {
    subject: "Five wrong codes in your account",
    text: "Someone who is logged in to your account entered five wrong codes to move money. Nothing was moved, and they have to wait longer before each further attempt.",
  },
};

/** Sent to the account owner after a change to two-step login. */
export async function renderTwoStepEmail({
  name,
  event,
  resetUrl,
}: {
  name: string;
  event: TwoStepEvent;
  resetUrl: string;
}) {
  const { subject, text } = MESSAGES[event];
  const email = (
    <MailLayout preview={subject} heading={subject}>
      <MailText>Hello {name},</MailText>
      <MailText>{text} If that was you, there is nothing more to do.</MailText>
      <MailText>If this wasn't you, reset your password now and contact us.</MailText>
      <MailButton href={resetUrl}>Reset my password</MailButton>
    </MailLayout>
  );
  return { subject, ...(await renderEmail(email)) };
}
