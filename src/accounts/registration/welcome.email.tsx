import {
  MailButton,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Sent once the address is confirmed. */
export async function renderWelcomeEmail({
  name,
  cardPrice,
  homeUrl,
}: {
  name: string;
  /** What a race card costs today, in coins and rand. */
  cardPrice: string;
  homeUrl: string;
}) {
  const email = (
    <MailLayout preview="Your account is ready." heading="Welcome to Furlong">
      <MailText>Hello {name},</MailText>
      <MailText>
        Your account is ready. A race card costs {cardPrice}: all of one tipster's tips for a day at
        one track. Coins never expire, and your race cards stay in your account.
      </MailText>
      <MailButton href={homeUrl}>See race cards on sale</MailButton>
    </MailLayout>
  );
  return { subject: "Welcome to Furlong", ...(await renderEmail(email)) };
}
