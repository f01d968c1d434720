export type Enquiry = { name: string; email: string; subject: string; message: string };

/** The subject of an enquiry whose subject is empty. */
export const DEFAULT_SUBJECT = "Furlong support enquiry";

/** Returns the subject and body of an enquiry email. */
export function enquiryMail(enquiry: Enquiry): { subject: string; body: string } {
  const body = [
    enquiry.message.trim(),
    "",
    `Name: ${oneLine(enquiry.name)}`,
    `Email: ${oneLine(enquiry.email)}`,
  ].join("\n");
  return { subject: oneLine(enquiry.subject) || DEFAULT_SUBJECT, body };
}

/** Returns a mailto: link with the enquiry. User input cannot add headers. */
export function mailtoEnquiry(to: string, enquiry: Enquiry): string {
  const { subject, body } = enquiryMail(enquiry);
  return mailto(to, subject, body);
}

/** Returns a mailto: link. Subject and body are encoded. */
export function mailto(to: string, subject: string, body?: string): string {
  const address = encode(oneLine(to)).replaceAll("%40", "@");
  const rest = body === undefined ? "" : `&body=${encode(body.replace(/\r\n|\r|\n/g, "\r\n"))}`;
  return `mailto:${address}?subject=${encode(oneLine(subject))}${rest}`;
}

/** Replaces line breaks and control characters, which headers do not allow, by spaces. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function encode(text: string): string {
  // encodeURIComponent throws on unpaired surrogates.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\uFFFD"));
}
