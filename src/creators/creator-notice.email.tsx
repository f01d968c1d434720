import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Tells a creator about a change to their tips or earnings, with the admin's reason. */
export async function renderCreatorNoticeEmail(notice: {
  name: string;
  title: string;
  message: string;
  reason: string;
}) {
  return {
    subject: notice.title,
    ...(await renderEmail(
      <MailLayout preview={notice.title} heading={notice.title}>
        <MailText>{`Hello ${notice.name}, ${notice.message}`}</MailText>
        {notice.reason ? <MailDetails rows={[["Reason", notice.reason]]} /> : null}
        <MailButton href={`${env().appUrl}/tipster-dashboard`}>Open my dashboard</MailButton>
        <MailNote>{`If you think this is a mistake, email ${env().mail.supportTo}.`}</MailNote>
      </MailLayout>,
    )),
  };
}
