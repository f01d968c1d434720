import { type CalendarDate, formatDate, formatInstant } from "#domain/calendar.ts";
import { formatRaceCount } from "#domain/format-races.ts";
import {
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

export type BatchNotice = {
  creatorName: string;
  venueName: string;
  raceDate: CalendarDate;
  raceNumbers: number[];
  publishedAt: Date;
};

/** The operator's notice of a batch: creator, venue, date and race numbers, without selections. */
export async function createBatchNotice(notice: BatchNotice) {
  const count = formatRaceCount(notice.raceNumbers.length);
  const subject = `${notice.creatorName}: ${count} at ${notice.venueName}, ${formatDate(notice.raceDate)}`;
  const rows: [string, string][] = [
    ["Tipster", notice.creatorName],
    ["Venue", notice.venueName],
    ["Race date", formatDate(notice.raceDate, "long")],
    ["Races", notice.raceNumbers.join(", ")],
    ["Published", formatInstant(notice.publishedAt)],
  ];
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="New tips published">
        <MailText>
          New tips have been published. Selections are not included in this email.
        </MailText>
        <MailDetails rows={rows} />
      </MailLayout>,
    )),
  };
}
