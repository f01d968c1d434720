import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";
import type { ApplicationInput } from "./application.input.ts";

/** Tells the operator about a tipster application, with all its details. */
export async function applicationNotice(applicationId: string, application: ApplicationInput) {
  const subject = `Tipster application: ${application.displayName}`;
  const rows: [string, string][] = [
    ["Full name", application.fullName],
    ["Display name", application.displayName],
    ["Email", application.email],
    ["Phone", application.phoneNumber || "not given"],
    ["Experience", formatExperience(application.experienceYears)],
    ["Speciality", application.specialization || "not given"],
    ["Favourite tracks", application.favouriteTracks || "not given"],
  ];
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="New tipster application">
        <MailDetails rows={rows} />
        {application.bio ? <MailText>{application.bio}</MailText> : null}
        <MailButton href={`${env().appUrl}/admin/tipsters/applications/${applicationId}`}>
          Review the application
        </MailButton>
      </MailLayout>,
    )),
  };
}

function formatExperience(years: number | null): string {
  if (years === null) return "not given";
  return years === 1 ? "1 year" : `${years} years`;
}
