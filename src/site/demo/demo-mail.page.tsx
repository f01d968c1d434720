import { data } from "react-router";
import { formatInstant } from "#domain/calendar.ts";
import { env } from "#platform/env.server.ts";
import { readMailbox } from "#platform/mail/mailer.server.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import type { Route } from "./+types/demo-mail.page.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Demo mailbox · Furlong" },
  { name: "robots", content: "noindex" },
];

export async function loader() {
  if (env().mode !== "demo") throw data(null, { status: 404 });
  const emails = await readMailbox(50);
  return {
    emails: emails.map((email) => ({
      ...email,
      sentAt: email.sentAt ? formatInstant(email.sentAt) : "",
    })),
  };
}

/** The emails that demo mode does not send. */
export default function DemoMail({ loaderData }: Route.ComponentProps) {
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading lead="In demo mode no email leaves this machine. Every email appears here, newest first.">
        Demo mailbox
      </PageHeading>
      {loaderData.emails.length === 0 ? (
        <EmptyState title="No emails yet">
          Emails appear here when you create an account or buy coins.
        </EmptyState>
      ) : (
        <ol className="mt-6 grid gap-4">
          {loaderData.emails.map((email, index) => (
            <li key={`${email.sentAt}-${email.subject}-${email.to}`}>
              <Panel title={email.subject} aside={email.sentAt}>
                <details open={index === 0}>
                  <summary className="min-h-11 cursor-pointer py-2.5">
                    To <span className="font-semibold break-all">{email.to}</span>
                  </summary>
                  <p className="mt-2 text-sm break-words whitespace-pre-wrap">
                    <LinkifiedText text={email.text} />
                  </p>
                </details>
              </Panel>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const URL_PATTERN = /(https?:\/\/[^\s<>"]+)/;

function LinkifiedText({ text }: { text: string }) {
  let offset = 0;
  return text.split(URL_PATTERN).map((part) => {
    offset += part.length;
    return URL_PATTERN.test(part) ? (
      <a key={offset} href={part} className="underline underline-offset-2">
        {part}
      </a>
    ) : (
      part
    );
  });
}
