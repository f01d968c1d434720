import {
  createPriceList,
  findCheapestPack,
  type PriceList,
  raceCardCents,
} from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatRand } from "#domain/coins.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";

export type HelpAnswer = {
  /** The anchor. */
  id: string;
  question: string;
  paragraphs: readonly string[];
  links?: readonly { to: string; label: string }[];
};

export type HelpCategory = { id: string; title: string; answers: readonly HelpAnswer[] };

/** Returns the answers of the help centre at these prices, by category. */
export function listHelpCategories({
  coinPacks,
  guestDeal,
  cardCents,
}: PriceList): readonly HelpCategory[] {
  const [smallestPack] = coinPacks;
  const largestPack = coinPacks.at(-1);
  const cheapestPack = findCheapestPack(coinPacks);
  const lowestRaceCardCents = cheapestPack ? Math.round(raceCardCents(cheapestPack)) : 0;
  return [
    {
      id: "getting-started",
      title: "Getting Started",
      answers: [
        {
          id: "what-is-furlong",
          question: "What is Furlong?",
          paragraphs: [
            "Furlong sells tips on South African horse racing. Tipsters and analysts publish race cards: their selections for a day at one track, with confidence and analysis. You pay in coins for the race cards you want. There is no subscription, and we don't take bets.",
          ],
          links: [{ to: "/how-it-works", label: "How it works" }],
        },
        {
          id: "how-do-i-start",
          question: "How do I start?",
          paragraphs: [
            "Create an account with your name, email address and a password, then confirm your email using the link we send you. Buy coins, choose a race card on the home page and open it.",
            "It takes about two minutes.",
          ],
          links: [{ to: "/login?mode=register", label: "Create an account" }],
        },
        {
          id: "buying-without-an-account",
          question: "Can I open a race card without an account?",
          paragraphs: [
            `Yes. On a locked race card, select Open race card and pay ${formatRand(guestDeal.priceCents)}. This opens the race card, creates your account and leaves ${guestDeal.amountCoins} coins in it for the next one. We'll email you a link to confirm your address.`,
            `The ${CARD_PRICE_COINS} welcome coins are given once per email address and once per payment card. After that, the race card still opens, but the ${guestDeal.amountCoins} coins you bought pay for it.`,
          ],
        },
        {
          id: "is-looking-free",
          question: "What can I see without paying?",
          paragraphs: [
            "On a locked race card you can see the track, race numbers and times, the tipster's record, and the type and confidence of each tip. You can't see the horses.",
            "Each selection becomes public with the official result of its race, at midnight after the race day at the latest, winners and losers alike. So you can judge a tipster before you spend. Only buyers can read the analysis.",
          ],
        },
        {
          id: "how-old",
          question: "How old do I have to be?",
          paragraphs: ["18 or older. You confirm it when you sign up or buy as a guest."],
          links: [{ to: "/responsible-gambling", label: "Responsible gambling" }],
        },
      ],
    },
    {
      id: "coins-and-payments",
      title: "Coins & Payments",
      answers: [
        {
          id: "what-does-a-card-cost",
          question: "What does a race card cost?",
          paragraphs: [
            `${CARD_PRICE_COINS} coins, whether it has one race or ${MAX_RACES}. That is ${formatRand(cardCents)} with the smallest pack and less with the others: from ${formatRand(lowestRaceCardCents)} with ${cheapestPack?.title}.`,
            `Packs range from ${smallestPack?.title} (${smallestPack?.amountCoins} coins, ${formatRand(smallestPack?.priceCents ?? 0)}) to ${largestPack?.title} (${largestPack?.amountCoins} coins, ${formatRand(largestPack?.priceCents ?? 0)}).`,
          ],
          links: [{ to: "/how-it-works#pricing", label: "All packs" }],
        },
        {
          id: "how-do-i-pay",
          question: "How do I pay?",
          paragraphs: [
            "By card, in rand, on our payment provider's secure page. We never see your card number. We add the coins as soon as the payment is confirmed, usually within seconds, and email you a receipt.",
          ],
        },
        {
          id: "paid-but-no-coins",
          question: "I've paid but my coins are missing. What should I do?",
          paragraphs: [
            "Wait a minute and refresh the page. If the coins aren't there, log out and in again. Check that you're using the account you paid with: its email address is in your profile.",
            "We check with the payment provider every few minutes, so most delays fix themselves. If it has been 15 minutes, contact us with your email address and the time of the payment.",
          ],
          links: [{ to: "/contact", label: "Contact support" }],
        },
        {
          id: "payment-declined",
          question: "My payment was declined or I cancelled it. Was I charged?",
          paragraphs: [
            "No. A declined or cancelled payment isn't charged. Only your bank can say why it declined the payment; often the card isn't enabled for online purchases. Your bank may show a pending amount for a few days before it disappears.",
          ],
        },
        {
          id: "do-coins-expire",
          question: "Do coins expire?",
          paragraphs: [
            "No. They stay in your account for as long as you have it. If you delete your account, we refund the coins you bought and didn't spend; free coins lapse. We tell you how many before you confirm.",
          ],
        },
        {
          id: "refunds",
          question: "Can I get a refund?",
          paragraphs: [
            "Purchases are final and non-refundable, and we don't refund losing tips. The law may give you seven days to cancel a purchase if you haven't used any of its coins. If you think this applies, email us within seven days of buying.",
            "If you were charged twice or didn't get what you paid for, contact us and we'll put it right.",
          ],
          links: [{ to: "/terms-of-service#refunds", label: "Read the full terms" }],
        },
        {
          id: "owing-coins",
          question: "Why does it say that I owe coins?",
          paragraphs: [
            "A purchase was refunded, or your bank reversed the payment, after you had spent some of the coins. Your opened race cards stay open, but you can't open new ones until you have repaid the coins. Your next purchase repays them first, and we show how many before you pay.",
            "While your bank investigates a disputed payment, you can't open new race cards or buy coins. Your coins stay in your wallet until it is resolved.",
          ],
        },
        {
          id: "abandoned-meeting",
          question: "A race was void or the meeting was abandoned. Do I get my coins back?",
          paragraphs: [
            `Yes. When races on a race card you opened are declared void (non-runners or abandoned races), we return their share of the ${CARD_PRICE_COINS} coins automatically once the results are entered, rounded up to whole coins. With eight races, one void race returns 1 coin. If every race is void, you get all ${CARD_PRICE_COINS} coins back.`,
            `You also get all ${CARD_PRICE_COINS} coins back if you opened a race card after its last race, because its off time reached us later.`,
            "We email you what we returned. If a result or a time is corrected later, you keep the coins.",
          ],
        },
      ],
    },
    {
      id: "racing-tips",
      title: "Racing Tips",
      answers: [
        {
          id: "what-opens",
          question: `What do ${CARD_PRICE_COINS} coins open?`,
          paragraphs: [
            "The whole race card: all of one tipster's tips at one track on one day. For each race you see the horse and its number, the type of tip (win, place or each-way), the confidence and the full analysis.",
            "If the tipster adds tips to the race card later, you see them at no extra cost.",
          ],
        },
        {
          id: "how-long-open",
          question: "How long does a race card stay open?",
          paragraphs: [
            "For as long as you have an account. Find it under My cards, even if it is off sale or the tipster has left.",
          ],
          links: [{ to: "/my-cards", label: "My cards" }],
        },
        {
          id: "cannot-unlock",
          question: "I have coins but can't open a race card. Why?",
          paragraphs: [
            `Refresh the page, check that you are logged in and that you have at least ${CARD_PRICE_COINS} coins.`,
            "You can't open a race card that is off sale or your own, or while you owe coins after a refund or have a payment in dispute. The message tells you which. If none of these applies, contact us with the tipster's name, the track and the date.",
          ],
          links: [{ to: "/contact", label: "Contact support" }],
        },
        {
          id: "when-off-sale",
          question: "When does a race card go off sale?",
          paragraphs: [
            'When its last race starts, or at 18:00 on the day if the off times aren\'t known. If some races have been run, we tell you (for example, "3 of 8 races run") and ask before we take your coins.',
          ],
        },
        {
          id: "do-tips-change",
          question: "Can a tipster change a tip after publishing it?",
          paragraphs: [
            "No. The horse, type, confidence and analysis can't be changed after publishing, and we show when they were published. A tipster can only add races.",
          ],
        },
        {
          id: "win-place-each-way",
          question: "What do win, place and each-way mean?",
          paragraphs: [
            "A win tip counts if the horse finishes first. A place tip counts if it is placed. An each-way bet is half a win bet and half a place bet; in a tipster's record an each-way tip counts as right when the horse is placed. Profiles show a separate rate for each type.",
          ],
          links: [{ to: "/rules", label: "How tips are settled" }],
        },
        {
          id: "confidence",
          question: "What does HIGH, MEDIUM or LOW confidence mean?",
          paragraphs: [
            "How sure the tipster is, compared with their other tips. It is the tipster's own opinion, not a probability. HIGH confidence is no reason to bet more than you planned.",
          ],
        },
        {
          id: "non-runners",
          question: "What happens to a tip on a non-runner?",
          paragraphs: [
            "It is declared void. It counts as neither won nor lost and doesn't affect the tipster's record. The same applies to an abandoned race.",
          ],
          links: [{ to: "/rules#void", label: "All reasons for a void tip" }],
        },
        {
          id: "going-and-weather",
          question: "Where do going, weather and off times come from?",
          paragraphs: [
            'We show what has been reported for the race day, with the source and time. If nothing has been reported we say "not reported"; we never guess. Check with the racecourse before you rely on them.',
          ],
          links: [{ to: "/racing-tracks", label: "Racing tracks" }],
        },
        {
          id: "do-you-take-bets",
          question: "Can I bet here? Are winners guaranteed?",
          paragraphs: [
            "No to both. We sell tips; you bet with a licensed operator of your choice. No tip is guaranteed to win.",
          ],
          links: [{ to: "/disclaimer", label: "Disclaimer" }],
        },
      ],
    },
    {
      id: "tipsters",
      title: "Tipsters",
      answers: [
        {
          id: "who-are-they",
          question: "Who are the tipsters and analysts?",
          paragraphs: [
            "Tipsters apply and we approve them. We invite analysts. Both publish under a display name and build a public record from their settled tips.",
          ],
          links: [{ to: "/top-analysts", label: "Top analysts" }],
        },
        {
          id: "how-records-work",
          question: "How is a win rate worked out?",
          paragraphs: [
            "Winning tips divided by all settled tips. Only official results and results we checked count, not what a tipster marks. Void tips don't count. A race can't be tipped after it has started. If no off time is known, a tip published at 11:00 or later on race day is marked as late and doesn't count, unless the off becomes known later and was at least 120 minutes after it.",
            `A tipster gets a level after ${MIN_SETTLED_FOR_LEVEL} settled tips: Expert (80% or more), Advanced (65%), Good (50%) or Developing (below 50%).`,
          ],
        },
        {
          id: "how-rankings-work",
          question: "How does the leaderboard rank tipsters?",
          paragraphs: [
            "The Leaderboard page ranks by win rate, adjusted for the number of settled tips, so three winners from three don't beat a long record.",
            "The short list on the home page ranks the last 30 days in the same way, or by sales.",
          ],
          links: [{ to: "/leaderboard", label: "Leaderboard" }],
        },
        {
          id: "unmarked-results",
          question: "A result is missing or wrong. What should I do?",
          paragraphs: [
            "Tipsters mark each tip won or lost after the race, and we show these results as marked by the tipster. They count in no record until the official result of the race replaces them. If the two differ, both stay visible.",
            "If a tip has no result after three days, we show it as unmarked. If a result is wrong, contact us. We'll check it, correct it and log the change.",
          ],
          links: [
            { to: "/rules", label: "How tips are settled" },
            { to: "/contact", label: "Report a result" },
          ],
        },
        {
          id: "become-a-tipster",
          question: "How do I become a tipster?",
          paragraphs: [
            "Fill in the application: your name, the name you want to publish under, your experience and your favourite tracks. We read every application and reply by email. If you're approved, the email has a link to get started.",
          ],
          links: [{ to: "/tipster-auth", label: "Apply" }],
        },
        {
          id: "what-tipsters-earn",
          question: "What does a tipster earn, and when is it paid?",
          paragraphs: [
            `A share of the ${formatRand(cardCents)} for ${CARD_PRICE_COINS} coins, each time someone opens one of your race cards. The tipster terms have the share. It becomes payable 14 days after the sale, but not before the day after the race. Once you have R100 payable, we pay by bank transfer on the 15th of the month, or sooner if you request it. Smaller amounts carry forward.`,
          ],
          links: [{ to: "/terms", label: "Tipster terms" }],
        },
      ],
    },
    {
      id: "account-and-security",
      title: "Account & Security",
      answers: [
        {
          id: "confirmation-email",
          question: "I haven't received the confirmation email.",
          paragraphs: [
            "Check your spam folder first. You can ask for a new one, up to three times an hour. Each link works once and expires after 24 hours. ",
          ],
          links: [{ to: "/resend-confirmation", label: "Get a new link" }],
        },
        {
          id: "forgotten-password",
          question: "I have forgotten my password.",
          paragraphs: [
            'Select "Forgotten your password?" on the login page. If the address has an account, we\'ll email a link to choose a new password. This logs you out everywhere else.',
          ],
          links: [{ to: "/login", label: "Login" }],
        },
        {
          id: "change-details",
          question: "How do I change my name, email address or password?",
          paragraphs: [
            "In your profile. A new email address takes effect when you confirm it from the new inbox. A new password logs you out everywhere else.",
          ],
          links: [{ to: "/profile", label: "Profile" }],
        },
        {
          id: "not-me",
          question: "I received an email about an account I didn't create.",
          paragraphs: [
            'Someone entered your email address, perhaps by mistake. Use the "This was not me" link in the email to remove the account. No one can log in to it until the address is confirmed.',
          ],
        },
        {
          id: "someone-else-has-my-password",
          question: "I think someone else has my password.",
          paragraphs: [
            "Change it in your profile, or use \"Forgotten your password?\" if you can't log in. Both log out everyone else. Then check your coin statement and contact us if something isn't yours.",
          ],
        },
        {
          id: "download-data",
          question: "What data do you hold about me, and can I get a copy?",
          paragraphs: [
            "The privacy policy lists what we keep. You can download your data from your profile.",
          ],
          links: [{ to: "/privacy", label: "Privacy policy" }],
        },
        {
          id: "delete-account",
          question: "How do I delete my account?",
          paragraphs: [
            "In your profile. You'll need your password. It can't be undone. We refund the coins you bought and didn't spend; free coins lapse and you can't read your opened race cards any more. We keep payment records for 7 years, without your name.",
            "If you're stopping because of gambling, email us and we'll close it for you. Tipsters and analysts should contact us first, so we can pay their earnings.",
          ],
          links: [{ to: "/responsible-gambling", label: "Help with gambling" }],
        },
      ],
    },
    {
      id: "technical-issues",
      title: "Technical Issues",
      answers: [
        {
          id: "connection-lost",
          question: "The connection dropped while I was opening a race card. Was I charged twice?",
          paragraphs: [
            `No. You're charged once per race card, however often you try. Open it again: if the first try worked you'll see it at no charge. If not, you pay ${CARD_PRICE_COINS} coins now.`,
          ],
        },
        {
          id: "balance-looks-wrong",
          question: "My balance looks wrong.",
          paragraphs: [
            "Refresh the page: a tab left open may show an old balance. Your profile lists every change to your coins. If that looks wrong too, contact us.",
          ],
          links: [{ to: "/profile", label: "Profile" }],
        },
        {
          id: "cannot-sign-in",
          question: "I can't log in and have to wait.",
          paragraphs: [
            "After five wrong passwords you can try once a minute. This slows down anyone guessing. Your account isn't locked. Wait a minute, or reset your password.",
            "If your email address isn't confirmed yet, use the link in the confirmation email first.",
          ],
        },
        {
          id: "which-browsers",
          question: "Which browsers work?",
          paragraphs: [
            "Any current one, on a phone or a computer: Chrome, Safari, Firefox, Edge, Samsung Internet. Most pages also work without JavaScript, which helps on a weak signal.",
          ],
        },
        {
          id: "page-looks-broken",
          question: "A page doesn't load or looks broken.",
          paragraphs: [
            "Reload the page. If that doesn't help, try a private window. Still broken? Tell us the page's address, what you see, and your phone or browser.",
          ],
          links: [{ to: "/contact", label: "Contact support" }],
        },
        {
          id: "photo-upload",
          question: "I can't upload my profile photo.",
          paragraphs: [
            "Tipsters and analysts can upload a JPEG, PNG or WebP photo of up to 5 MB and 16 megapixels. Without a photo, we show racing silks based on your name.",
          ],
        },
      ],
    },
  ];
}

/** The most requested answers, in order. */
export const POPULAR_ANSWERS: readonly string[] = [
  "paid-but-no-coins",
  "cannot-unlock",
  "what-opens",
  "buying-without-an-account",
  "refunds",
  "how-records-work",
];

/** Returns the answers that contain the query, ignoring case. Omits empty categories. */
export function searchHelp(query: string, categories: readonly HelpCategory[]): HelpCategory[] {
  const normalisedQuery = query.trim().toLowerCase();
  const matches = (answer: HelpAnswer) =>
    [answer.question, ...answer.paragraphs].some((text) =>
      text.toLowerCase().includes(normalisedQuery),
    );
  return categories
    .map((category) => ({ ...category, answers: category.answers.filter(matches) }))
    .filter((category) => category.answers.length > 0);
}

export function findAnswer(id: string): HelpAnswer | undefined {
  return listHelpCategories(createPriceList())
    .flatMap((category) => category.answers)
    .find((each) => each.id === id);
}
