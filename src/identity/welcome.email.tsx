import { MailButton, MailLayout, MailText, renderMail } from "#platform/mail-layout.email.tsx";

/** To someone whose address is confirmed. */
export async function welcomeMail({ name, home }: { name: string; home: string }) {
  const mail = (
    <MailLayout preview="Your account is ready." heading="Welcome to Furlong">
      <MailText>Hello {name},</MailText>
      <MailText>
        Your account is ready. Four coins open a race card: every race of one tipster at one track
        on one day. Coins never expire, and a card you have opened stays open.
      </MailText>
      <MailButton href={home}>See the cards on sale</MailButton>
    </MailLayout>
  );
  return { subject: "Welcome to Furlong", ...(await renderMail(mail)) };
}
