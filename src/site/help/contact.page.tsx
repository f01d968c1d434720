import { Clock, Copy, LifeBuoy, Mail, MapPin, MessageSquare } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { publicMeta } from "#platform/public-meta.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { useInformation } from "../layout/use-information.ts";
import { useLayoutViewer } from "../layout/use-layout-viewer.ts";
import type { Route } from "./+types/contact.page.ts";
import { buildEnquiryText, DEFAULT_SUBJECT, mailto, mailtoEnquiry } from "./mailto.ts";

export const handle = { scriptStart: "use" };

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Contact us",
    description:
      "Contact Furlong support. We reply to payment problems within 2 support hours, to technical issues within 4 and to email within 24. Monday to Friday, 9AM to 5PM SAST.",
    path: "/contact",
  });
}

const responseTimes = [
  { kind: "Payment problems", within: "2 hours" },
  { kind: "Technical issues", within: "4 hours" },
  { kind: "Email", within: "24 hours" },
  { kind: "General enquiries", within: "48 hours" },
];

export default function Contact() {
  const { supportEmail, company } = useInformation();
  return (
    <>
      <PageHeading
        kicker="Help"
        lead="Ask us about a payment, a result or anything else. A person will reply."
      >
        Contact us
      </PageHeading>
      <div className="mt-8 grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <section aria-labelledby="write" className="min-w-0">
          <SectionHeading
            id="write"
            lead="This form opens your own email app with the message filled in. You send it from there."
          >
            Send us a message
          </SectionHeading>
          <noscript>
            <FormMessage type="info" className="mt-5">
              The form needs JavaScript. You can also{" "}
              <a className="link" href={mailto(supportEmail, DEFAULT_SUBJECT)}>
                email {supportEmail}
              </a>
              .
            </FormMessage>
          </noscript>
          <EnquiryForm supportEmail={supportEmail} />
        </section>

        <aside className="flex flex-col gap-6">
          <Panel title="Other ways to reach us" flush>
            <ContactMethod icon={<Mail />} title="Email support">
              <a className="link break-words" href={mailto(supportEmail, DEFAULT_SUBJECT)}>
                {supportEmail}
              </a>
            </ContactMethod>
            <ContactMethod icon={<MessageSquare />} title="Live Chat">
              <Button variant="secondary" size="small" disabled className="mt-1">
                Start Chat (Coming Soon)
              </Button>
            </ContactMethod>
            <ContactMethod icon={<LifeBuoy />} title="Help centre">
              <p className="text-ink-2">Find answers to common questions.</p>
              <ButtonLink to="/help" variant="secondary" size="small" className="mt-2">
                Go to the help centre
              </ButtonLink>
            </ContactMethod>
          </Panel>
          <Panel title="Response times">
            <dl className="text-sm">
              {responseTimes.map((time) => (
                <div
                  key={time.kind}
                  className="flex justify-between gap-4 border-b border-rule py-1.5 last:border-0"
                >
                  <dt>{time.kind}</dt>
                  <dd className="font-cond text-base font-semibold">{time.within}</dd>
                </div>
              ))}
            </dl>
            <p className="mt-2 text-xs text-ink-2">Response times count support hours only.</p>
          </Panel>
          <Panel tone="well" title="South Africa">
            <ul className="flex flex-col gap-2 text-sm">
              <li className="flex gap-2.5">
                <Clock className="mt-0.5 size-4 shrink-0 text-ink-3" aria-hidden="true" />
                Mon-Fri 9AM-5PM SAST
              </li>
              <li className="flex gap-2.5">
                <MapPin className="mt-0.5 size-4 shrink-0 text-ink-3" aria-hidden="true" />
                <address className="not-italic">
                  {company.name}
                  {company.address ? (
                    <>
                      <br />
                      {company.address}
                    </>
                  ) : null}
                  {company.telephone ? (
                    <>
                      <br />
                      Telephone {company.telephone}
                    </>
                  ) : null}
                </address>
              </li>
            </ul>
          </Panel>
        </aside>
      </div>
    </>
  );
}

function ContactMethod({
  icon,
  title,
  children,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}) {
  return (
    <div className="flex gap-3 border-b border-rule p-4 text-sm last:border-0 [&>svg]:mt-0.5 [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-green-ink">
      {icon}
      <div className="min-w-0">
        <h3 className="font-semibold">{title}</h3>
        {children}
      </div>
    </div>
  );
}

const MISSING_FIELD_MESSAGES = {
  name: "Please enter your name",
  email: "Please enter a valid email address",
  message: "Please enter your message",
};
type Field = keyof typeof MISSING_FIELD_MESSAGES;

function EnquiryForm({ supportEmail }: { supportEmail: string }) {
  const [enquiryLink, setEnquiryLink] = useState<EnquiryLink | null>(null);
  const [errors, setErrors] = useState<Partial<typeof MISSING_FIELD_MESSAGES>>({});
  const viewer = useLayoutViewer();

  function open(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const invalidFields = [...event.currentTarget.querySelectorAll<HTMLInputElement>(":invalid")];
    setErrors(
      Object.fromEntries(
        invalidFields.map(({ name }) => [name, MISSING_FIELD_MESSAGES[name as Field]]),
      ),
    );
    if (invalidFields[0]) {
      invalidFields[0].focus();
      return;
    }
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    const enquiry = {
      name: text("name"),
      email: text("email"),
      subject: text("subject"),
      message: text("message"),
    };
    const link = mailtoEnquiry(supportEmail, enquiry);
    setEnquiryLink({ link, ...buildEnquiryText(enquiry) });
    window.location.href = link;
  }

  return (
    // The method keeps the text if the form is submitted before the scripts run.
    <form method="dialog" onSubmit={open} noValidate className="mt-5 flex max-w-2xl flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={120}
          defaultValue={viewer?.name}
          error={errors.name}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          error={errors.email}
        />
      </div>
      <TextField
        label="Subject"
        name="subject"
        optional
        maxLength={150}
        placeholder={DEFAULT_SUBJECT}
      />
      <TextAreaField
        label="Message"
        name="message"
        rows={7}
        required
        error={errors.message}
        maxLength={2000}
        hint="For a payment, include the date, the amount and your account's email address. Never send your card number or password."
      />
      <div>
        <Button
          type="submit"
          size="large"
          className="noscript:hidden"
          icon={<Mail aria-hidden="true" />}
        >
          Open in my email app
        </Button>
      </div>
      {enquiryLink ? (
        <EnquiryText key={enquiryLink.link} supportEmail={supportEmail} enquiryLink={enquiryLink} />
      ) : null}
    </form>
  );
}

type EnquiryLink = { link: string; subject: string; body: string };

/** The time within which a mail program that opens takes the focus from the window. */
const MAIL_PROGRAM_TIMEOUT_MS = 2_000;

/** The message text, to copy if no mail program opens. */
function EnquiryText({
  supportEmail,
  enquiryLink,
}: {
  supportEmail: string;
  enquiryLink: EnquiryLink;
}) {
  const [hasOpened, setHasOpened] = useState<boolean | null>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    const opened = () => setHasOpened(true);
    const timer = setTimeout(
      () => setHasOpened((known) => known ?? false),
      MAIL_PROGRAM_TIMEOUT_MS,
    );
    window.addEventListener("blur", opened);
    document.addEventListener("visibilitychange", opened);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("blur", opened);
      document.removeEventListener("visibilitychange", opened);
    };
  }, []);
  const messageText = `To: ${supportEmail}\nSubject: ${enquiryLink.subject}\n\n${enquiryLink.body}`;
  const copy = () =>
    navigator.clipboard.writeText(messageText).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  return (
    <>
      <FormMessage
        type={hasOpened === false ? "info" : "success"}
        title={hasOpened === false ? "No email app has opened" : "Your message is ready"}
      >
        {hasOpened === false
          ? "Copy the message below and send it from your webmail to "
          : "Send it from your email app. If it didn't open, copy the message below and send it to "}
        <b className="break-words">{supportEmail}</b>, or{" "}
        <a className="link" href={enquiryLink.link}>
          try again
        </a>
        .
      </FormMessage>
      <TextAreaField label="Text to copy" rows={8} readOnly value={messageText} />
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" icon={<Copy aria-hidden="true" />} onClick={() => void copy()}>
          Copy message
        </Button>
        <p role="status" className="text-sm text-ink-2">
          {isCopied ? "Message copied." : null}
        </p>
      </div>
    </>
  );
}
