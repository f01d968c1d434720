import { type CalendarDate, formatDate } from "#domain/calendar.ts";
import { env } from "#platform/env.server.ts";
import {
  MailLayout,
  MailLink,
  MailNote,
  MailPreformatted,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";
import { countOf } from "../count-of.ts";

/** The email with the day's checkpoint, for people who keep it as evidence against us. */
export async function renderCheckpointEmail({
  date,
  size,
  note,
  unsubscribeUrl,
}: {
  date: CalendarDate;
  size: number;
  /** The checkpoint as it was signed. */
  note: string;
  unsubscribeUrl: string;
}) {
  const { appUrl } = env();
  const subject = `Furlong's fingerprint for ${formatDate(date)}`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout
        preview="Keep this email. With it you can prove that we changed nothing."
        heading="Today's fingerprint"
      >
        <MailText>
          {`This is the signed fingerprint of our public log before today's first race. It covers ${countOf(size, "entry", "entries")}: every tip that we had entered by then, and the list of all tipsters.`}
        </MailText>
        <MailPreformatted>{note}</MailPreformatted>
        <MailText>
          Keep this email. If we ever change or remove one of these entries, the log no longer fits
          the fingerprint, and your copy proves it.
        </MailText>
        <MailText>
          To check it later, save the lines above, with the empty line, as checkpoint.txt. Then run
          this with a copy of our source code:
        </MailText>
        <MailPreformatted>{`node bin/furlong.mjs proof ${appUrl} --kept checkpoint.txt`}</MailPreformatted>
        <MailText>
          <MailLink href={`${appUrl}/proof`}>How our record can be checked</MailLink>
        </MailText>
        <MailNote>
          We send this once on a race day to tipsters, analysts and everyone who asked for it.{" "}
          <MailLink href={unsubscribeUrl}>Stop these emails</MailLink>
        </MailNote>
      </MailLayout>,
    )),
  };
}
