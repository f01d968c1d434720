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
import { env } from "#platform/env.server.ts";

// The light theme of ui/theme.css as literals, because email clients do not support variables.
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

// The dark theme, for clients that support style sheets; inline styles hold the light theme. The
// body contains an unnamed cell with the background colour, which is selected by that colour.
const DARK = `@media (prefers-color-scheme: dark) {
  .paper, td[style*=${PAPER.slice(1)}] { background-color: #0e1411 !important; }
  .sheet { background-color: #161d19 !important; border-color: #2f3933 !important; }
  .header { background-color: #0c3424 !important; }
  .action { background-color: #1c7550 !important; color: #f6fbf5 !important; }
  .ink { color: #ece6d8 !important; border-color: #ece6d8 !important; }
  .ink-3 { color: #9da092 !important; }
  .link { color: #86cfa9 !important; }
  .rule { border-color: #2f3933 !important; }
}`;

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
  /** The preview text that an inbox shows next to the subject. */
  preview: string;
  heading: string;
  children: ReactNode;
};

/** The layout of every email: header, heading, content and sender. */
export function MailLayout({ preview, heading, children }: MailLayoutProps) {
  const { company, mail, appUrl } = env();
  return (
    <Html lang="en-ZA">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body
        className="paper"
        style={{ margin: 0, padding: "24px 12px", backgroundColor: PAPER, fontFamily: SANS }}
      >
        <Container style={{ maxWidth: "560px", margin: "0 auto" }}>
          <Section className="header" style={{ padding: "14px 24px", backgroundColor: GREEN }}>
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
            className="sheet"
            style={{
              padding: "24px 24px 12px",
              backgroundColor: SHEET,
              border: `1px solid ${RULE}`,
              borderTop: "none",
            }}
          >
            <Heading
              as="h1"
              className="ink"
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
            <Text className="ink-3" style={small}>
              {[company.name, company.address].filter(Boolean).join(", ")}. Questions:{" "}
              <Link href={`mailto:${mail.supportTo}`} className="link" style={{ color: GREEN_INK }}>
                {mail.supportTo}
              </Link>
            </Text>
            <Text className="ink-3" style={small}>
              18+ only. Gambling can be addictive. Free help: National Responsible Gambling
              Programme, 0800 006 008, 24 hours.
            </Text>
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

/** A paragraph. */
export function MailText({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={text}>
      {children}
    </Text>
  );
}

/** The main action of an email. */
export function MailButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section style={{ margin: "8px 0 16px" }}>
      <Button
        href={href}
        className="action"
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
    <Link href={href} className="link" style={{ color: GREEN_INK, textDecoration: "underline" }}>
      {children}
    </Link>
  );
}

/** Small print below a divider. */
export function MailNote({ children }: { children: ReactNode }) {
  return (
    <>
      <Hr className="rule" style={{ margin: "8px 0 12px", borderColor: RULE }} />
      <Text className="ink-3" style={small}>
        {children}
      </Text>
    </>
  );
}

/** A table of label and value pairs, for example on a receipt. A pair can have a note in small print. */
export function MailDetails({
  rows,
}: {
  rows: readonly [name: string, value: string, note?: string][];
}) {
  return (
    <Section className="ink" style={{ margin: "0 0 16px", borderTop: `3px double ${INK}` }}>
      {rows.map(([name, value, note]) => (
        <Row key={name} className="rule" style={{ borderBottom: `1px solid ${RULE}` }}>
          <Column
            className="ink-3"
            style={{ padding: "8px 8px 8px 0", fontSize: "15px", color: INK_3 }}
          >
            {`${name} `}
            {note ? (
              <>
                <br />
                <span style={{ fontSize: "13px" }}>{`${note} `}</span>
              </>
            ) : null}
          </Column>
          <Column
            align="right"
            className="ink"
            style={{ padding: "8px 0", fontSize: "15px", fontWeight: 600, color: INK }}
          >
            {value}
          </Column>
        </Row>
      ))}
    </Section>
  );
}

/** Text in which every character and line break counts, such as a file to save. */
export function MailPreformatted({ children }: { children: string }) {
  return (
    <pre
      className="ink"
      style={{
        margin: "0 0 16px",
        color: INK,
        fontFamily: "Menlo, Consolas, monospace",
        fontSize: "13px",
        lineHeight: "18px",
        whiteSpace: "pre-wrap",
        overflowWrap: "anywhere",
      }}
    >
      {children}
    </pre>
  );
}

/** Renders an email as HTML and as plain text. */
export async function renderEmail(mail: ReactElement): Promise<{ text: string; html: string }> {
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
