import { env } from "#platform/env.server.ts";
import { MailButton, MailLayout, MailText, renderMail } from "#platform/mail-layout.email.tsx";

/** Tells a creator on pay day that they would have been paid, had we known where to. */
export async function bankDetailsMissingMail(creator: { name: string }) {
  const subject = "We could not pay you: your bank details are missing";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="Where shall we pay you?">
        <MailText>
          {`Dear ${creator.name}, it is pay day and you have earnings of R100 or more to be paid, but we have no bank details of yours. Nothing is lost: your earnings wait for you.`}
        </MailText>
        <MailText>
          Add them on your dashboard. From 72 hours later you can request a payout, or it is made by
          itself.
        </MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/bank-details`}>
          Add my bank details
        </MailButton>
      </MailLayout>,
    )),
  };
}
