import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Invites someone to be an admin, an analyst or a tipster, in the words of the role. */
export async function renderInvitationEmail({
  subject,
  heading,
  paragraphs,
  button,
  link,
  note = `If you weren't expecting this, ignore it and let us know at ${env().mail.supportTo}.`,
}: {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  button: string;
  link: string;
  /** What to do about an unexpected email. */
  note?: string;
}) {
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={heading}>
        {paragraphs.map((paragraph) => (
          <MailText key={paragraph}>{paragraph}</MailText>
        ))}
        <MailButton href={link}>{button}</MailButton>
        <MailNote>{note}</MailNote>
      </MailLayout>,
    )),
  };
}
