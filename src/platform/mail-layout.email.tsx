import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Link,
  Preview,
  Row,
  render,
  Section,
  Text,
} from "@react-email/components";
import type { CSSProperties, ReactElement, ReactNode } from "react";
import { env } from "./env.server.ts";

// The light theme of ui/theme.css, written out: mail programs know no variables.
const PAPER = "#f4efe3";
const SHEET = "#fbf8f0";
const INK = "#17201b";
const INK_3 = "#5b6159";
const RULE = "#d8cfba";
const GREEN = "#0f4d35";
const GREEN_INK = "#0f5239";
const ON_GREEN = "#f8f4e8";
const SANS = '"Hanken Grotesk", Roboto, "Segoe UI", Arial, sans-serif';
const COND = '"Archivo Narrow", "Arial Narrow", Roboto, Arial, sans-serif';

const text: CSSProperties = {
  margin: "0 0 16px",
  fontSize: "16px",
  lineHeight: "24px",
  color: INK,
};
const small: CSSProperties = {
  margin: "0 0 8px",
  fontSize: "13px",
  lineHeight: "18px",
  color: INK_3,
};

type MailLayoutProps = {
  /** What a list of mails shows beside the subject. */
  preview: string;
  heading: string;
  children: ReactNode;
};

/** The sheet every mail is written on: masthead, heading, what is said, who says it. */
export function MailLayout({ preview, heading, children }: MailLayoutProps) {
  const { company, mail, appUrl } = env();
  return (
    <Html lang="en-ZA">
      <Head>
        <meta name="color-scheme" content="light" />
        <meta name="supported-color-schemes" content="light" />
      </Head>
      <Preview>{preview}</Preview>
      <Body style={{ margin: 0, padding: "24px 12px", backgroundColor: PAPER, fontFamily: SANS }}>
        <Container style={{ maxWidth: "560px", margin: "0 auto" }}>
          <Section style={{ padding: "14px 24px", backgroundColor: GREEN }}>
            <Link
              href={appUrl}
              style={{
                color: ON_GREEN,
                fontFamily: COND,
                fontSize: "26px",
                lineHeight: "32px",
                fontWeight: 700,
                textDecoration: "none",
              }}
            >
              Furlong
            </Link>
          </Section>
          <Section
            style={{
              padding: "24px 24px 12px",
              backgroundColor: SHEET,
              border: `1px solid ${RULE}`,
              borderTop: "none",
            }}
          >
            <Heading
              as="h1"
              style={{
                margin: "0 0 16px",
                color: INK,
                fontFamily: COND,
                fontSize: "28px",
                lineHeight: "32px",
                fontWeight: 700,
              }}
            >
              {heading}
            </Heading>
            {children}
          </Section>
          <Section style={{ padding: "16px 24px" }}>
            <Text style={small}>
              {[company.name, company.address].filter(Boolean).join(", ")}. Questions:{" "}
              <Link href={`mailto:${mail.supportTo}`} style={{ color: GREEN_INK }}>
                {mail.supportTo}
              </Link>
            </Text>
            <Text style={small}>
              18+ only. Gambling can be addictive: the National Responsible Gambling Programme helps
              free of charge at 0800 006 008.
            </Text>
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

/** A paragraph. */
export function MailText({ children }: { children: ReactNode }) {
  return <Text style={text}>{children}</Text>;
}

/** The one thing to press. */
export function MailButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section style={{ margin: "8px 0 16px" }}>
      <Button
        href={href}
        style={{
          padding: "13px 22px",
          borderRadius: "3px",
          backgroundColor: GREEN,
          color: ON_GREEN,
          fontSize: "16px",
          fontWeight: 600,
        }}
      >
        {children}
      </Button>
    </Section>
  );
}

/** A link in running text. */
export function MailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} style={{ color: GREEN_INK, textDecoration: "underline" }}>
      {children}
    </Link>
  );
}

/** Small print below a hairline. */
export function MailNote({ children }: { children: ReactNode }) {
  return (
    <>
      <Hr style={{ margin: "8px 0 12px", borderColor: RULE }} />
      <Text style={small}>{children}</Text>
    </>
  );
}

/** Facts one below the other, names on the left and values on the right: a receipt, a batch. */
export function MailFacts({ rows }: { rows: [name: string, value: string][] }) {
  return (
    <Section style={{ margin: "0 0 16px", borderTop: `3px double ${INK}` }}>
      {rows.map(([name, value]) => (
        <Row key={name} style={{ borderBottom: `1px solid ${RULE}` }}>
          <Column style={{ padding: "8px 8px 8px 0", fontSize: "15px", color: INK_3 }}>
            {`${name} `}
          </Column>
          <Column
            align="right"
            style={{ padding: "8px 0", fontSize: "15px", fontWeight: 600, color: INK }}
          >
            {value}
          </Column>
        </Row>
      ))}
    </Section>
  );
}

/** A mail as programs show it, and as plain text for those that show no HTML. */
export async function renderMail(mail: ReactElement): Promise<{ text: string; html: string }> {
  const [html, text] = await Promise.all([
    render(mail),
    render(mail, {
      plainText: true,
      htmlToTextOptions: {
        wordwrap: false,
        selectors: [
          { selector: "h1", options: { uppercase: false } },
          { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: false } },
        ],
      },
    }),
  ]);
  return { text, html };
}
