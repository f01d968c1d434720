import { describe, expect, test } from "vitest";
import { DEFAULT_SUBJECT, type Enquiry, mailto, mailtoEnquiry } from "./mailto.ts";

const enquiry: Enquiry = {
  name: "Thandi Mokoena",
  email: "thandi@example.test",
  subject: "My coins",
  message: "I paid R40 & see no coins.\nWhat now?",
};

/** Parses a mailto: link as a mail program does. */
function parseMailto(link: string) {
  expect(link.startsWith("mailto:")).toBe(true);
  const url = new URL(link);
  const fields = [...url.searchParams.keys()];
  const field = (name: string) => {
    const encoded = new RegExp(`[?&]${name}=([^&]*)`).exec(link)?.[1] ?? "";
    return decodeURIComponent(encoded);
  };
  return {
    to: decodeURIComponent(url.pathname),
    fields,
    subject: field("subject"),
    body: field("body"),
  };
}

describe("the contact form's message", () => {
  test("contains the subject, message, name and email address", () => {
    const parsed = parseMailto(mailtoEnquiry("support@furlong.test", enquiry));
    expect(parsed.to).toBe("support@furlong.test");
    expect(parsed.subject).toBe("My coins");
    expect(parsed.body).toBe(
      "I paid R40 & see no coins.\r\nWhat now?\r\n\r\nName: Thandi Mokoena\r\nEmail: thandi@example.test",
    );
  });

  test.each(["", "   ", "\r\n"])("has the default subject when the subject is %j", (subject) => {
    const parsed = parseMailto(mailtoEnquiry("support@furlong.test", { ...enquiry, subject }));
    expect(parsed.subject).toBe(DEFAULT_SUBJECT);
  });

  test.each([
    "Hello\r\nBcc: everyone@example.test",
    "Hello\nBcc: everyone@example.test",
    "Hello\rBcc: everyone@example.test",
    "Hello\u2028Bcc: everyone@example.test",
    "Hello&bcc=everyone@example.test",
    "Hello?bcc=everyone@example.test",
    "Hello%0D%0ABcc: everyone@example.test",
  ])("adds no header from %j", (input) => {
    for (const field of ["subject", "name", "email", "message"] as const) {
      const link = mailtoEnquiry("support@furlong.test", { ...enquiry, [field]: input });
      expect(parseMailto(link).fields).toEqual(["subject", "body"]);
      expect(parseMailto(link).subject).not.toMatch(/[\r\n\u2028]/);
      expect(link).not.toMatch(/[\r\n]/);
    }
    const body = parseMailto(
      mailtoEnquiry("support@furlong.test", { ...enquiry, name: input }),
    ).body;
    expect(body.split("\r\n").filter((line) => line.startsWith("Bcc"))).toEqual([]);
  });

  test("encodes the query characters of the recipient's address", () => {
    expect(mailto("a+b@example.test?cc=x@example.test", "Hi")).toBe(
      "mailto:a%2Bb@example.test%3Fcc%3Dx@example.test?subject=Hi",
    );
  });

  test("replaces unpaired surrogates and keeps non-ASCII letters", () => {
    const parsed = parseMailto(
      mailtoEnquiry("support@furlong.test", { ...enquiry, message: "\ud83d Sawubona é" }),
    );
    expect(parsed.body).toContain("\ufffd Sawubona é");
  });
});
