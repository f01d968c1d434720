export type Enquiry = { name: string; email: string; subject: string; message: string };

/** What an enquiry is called whose writer gave it no name. */
export const DEFAULT_SUBJECT = "Furlong support enquiry";

/** The subject and body of the email that carries an enquiry. */
export function enquiryMail(enquiry: Enquiry): { subject: string; body: string } {
  const body = [
    enquiry.message.trim(),
    "",
    `Name: ${oneLine(enquiry.name)}`,
    `Email: ${oneLine(enquiry.email)}`,
  ].join("\n");
  return { subject: oneLine(enquiry.subject) || DEFAULT_SUBJECT, body };
}

/** The link that opens a mail program with the enquiry written; nothing in it can add a header. */
export function mailtoEnquiry(to: string, enquiry: Enquiry): string {
  const { subject, body } = enquiryMail(enquiry);
  return mailto(to, subject, body);
}

/** A mailto: address with subject and body, each encoded whole. */
export function mailto(to: string, subject: string, body?: string): string {
  const address = encode(oneLine(to)).replaceAll("%40", "@");
  const rest = body === undefined ? "" : `&body=${encode(body.replace(/\r\n|\r|\n/g, "\r\n"))}`;
  return `mailto:${address}?subject=${encode(oneLine(subject))}${rest}`;
}

/** A header lives on one line: whatever breaks it becomes a space. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function encode(text: string): string {
  // Half a character, as a cut paste leaves it, cannot be encoded.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\uFFFD"));
}
