export type Enquiry = { name: string; email: string; subject: string; message: string };

/** The subject of an enquiry whose subject is empty. */
export const DEFAULT_SUBJECT = "Furlong support enquiry";

/** Returns the subject and body of an enquiry email. */
export function buildEnquiryText(enquiry: Enquiry): { subject: string; body: string } {
  const body = [
    enquiry.message.trim(),
    "",
    `Name: ${toSingleLine(enquiry.name)}`,
    `Email: ${toSingleLine(enquiry.email)}`,
  ].join("\n");
  return { subject: toSingleLine(enquiry.subject) || DEFAULT_SUBJECT, body };
}

/** Returns a mailto: link with the enquiry. User input cannot add headers. */
export function mailtoEnquiry(to: string, enquiry: Enquiry): string {
  const { subject, body } = buildEnquiryText(enquiry);
  return mailto(to, subject, body);
}

/** Returns a mailto: link. Subject and body are encoded. */
export function mailto(to: string, subject: string, body?: string): string {
  const address = encode(toSingleLine(to)).replaceAll("%40", "@");
  const bodyParam =
    body === undefined ? "" : `&body=${encode(body.replace(/\r\n|\r|\n/g, "\r\n"))}`;
  return `mailto:${address}?subject=${encode(toSingleLine(subject))}${bodyParam}`;
}

/** Replaces line breaks and control characters, which headers do not allow, by spaces. */
function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function encode(text: string): string {
  // encodeURIComponent throws on unpaired surrogates.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\uFFFD"));
}
