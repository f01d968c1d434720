import { MailButton, MailLayout, MailText, renderMail } from "#platform/mail-layout.email.tsx";

export type TwoStepEvent = "on" | "off" | "new-codes" | "code-used" | "wrong-codes";

const words: Record<TwoStepEvent, { subject: string; text: string }> = {
  on: {
    subject: "Two-step sign-in is on",
    text: "From now on signing in to your account asks for a code of your authenticator app after the password. Every other browser has been signed out.",
  },
  off: {
    subject: "Two-step sign-in is off",
    text: "Signing in to your account no longer asks for a code after the password.",
  },
  "new-codes": {
    subject: "You have new recovery codes",
    text: "The recovery codes of your account were made anew. The ones from before no longer work.",
  },
  "code-used": {
    subject: "A recovery code was used",
    text: "Somebody signed in to your account with its password and one of its recovery codes.",
  },
  "wrong-codes": {
    subject: "Five wrong codes for your account",
    text: "Someone entered the correct password of your account and then five wrong codes. They have not been logged in, and have to wait longer before each further attempt.",
  },
};

/** To the owner of an account: what happened to its second step. */
export async function twoStepMail({
  name,
  event,
  resetPage,
}: {
  name: string;
  event: TwoStepEvent;
  resetPage: string;
}) {
  const { subject, text } = words[event];
  const mail = (
    <MailLayout preview={subject} heading={subject}>
      <MailText>Hello {name},</MailText>
      <MailText>{text} If that was you, there is nothing more to do.</MailText>
      <MailText>If it was not you, choose a new password at once and write to us.</MailText>
      <MailButton href={resetPage}>That was not me</MailButton>
    </MailLayout>
  );
  return { subject, ...(await renderMail(mail)) };
}
