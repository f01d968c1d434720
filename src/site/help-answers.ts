import { COIN_PACKS, GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, COIN_CENTS, COMMISSION_CENTS, formatRand } from "#domain/coins.ts";
import { SETTLED_FOR_LEVEL } from "#domain/record.ts";
import { MAX_RACES } from "#domain/tip.ts";

export type HelpAnswer = {
  /** Its anchor. */
  id: string;
  question: string;
  paragraphs: readonly string[];
  links?: readonly { to: string; label: string }[];
};

export type HelpCategory = { id: string; title: string; answers: readonly HelpAnswer[] };

const commission = formatRand(COMMISSION_CENTS);
const [smallest] = COIN_PACKS;
const largest = COIN_PACKS.at(-1);

/** Everything the help centre knows, by category. */
export const HELP_CATEGORIES: readonly HelpCategory[] = [
  {
    id: "getting-started",
    title: "Getting Started",
    answers: [
      {
        id: "what-is-furlong",
        question: "What is Furlong?",
        paragraphs: [
          "A shop for opinions on South African horse racing. Tipsters and analysts publish race cards: their selections for a day at one track, how sure they are, and why. You pay for the card you want, in coins. There is no subscription, and nobody here takes a bet.",
        ],
        links: [{ to: "/how-it-works", label: "How it works" }],
      },
      {
        id: "how-do-i-start",
        question: "How do I start?",
        paragraphs: [
          "Create an account with your name, e-mail address and a password, and confirm the address with the link we mail you. Buy coins, pick a card on the home page and open it.",
          "It takes about two minutes, most of which go to finding the mail.",
        ],
        links: [{ to: "/login?mode=register", label: "Create an account" }],
      },
      {
        id: "buying-without-an-account",
        question: "Can I open a card without an account?",
        paragraphs: [
          `Yes. On a locked card, choose to unlock it as a guest and pay ${formatRand(GUEST_DEAL.priceCents)}. The payment opens that card, makes the account, and leaves ${GUEST_DEAL.amountCoins} coins in it for the next one. We mail you a link to confirm the address.`,
          `The ${CARD_PRICE_COINS} welcome coins that make this possible are given once to an e-mail address and once to a payment card. The second time the card still opens, with the coins you bought.`,
        ],
      },
      {
        id: "is-looking-free",
        question: "What can I see without paying?",
        paragraphs: [
          "On a locked card: the track, the race numbers and times, the tipster and their record, how confident they are and what type each tip is. Not the horses.",
          "From midnight after the race day, the selections and results of every card are public, losers like winners, so that you can judge a tipster before you spend anything. The analysis stays with those who paid for it.",
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
          `${CARD_PRICE_COINS} coins, whether it holds one race or ${MAX_RACES}. A coin costs ${formatRand(COIN_CENTS)} in the smallest pack, so that is ${formatRand(CARD_PRICE_COINS * COIN_CENTS)}; in the larger packs it comes to less.`,
          `Packs run from ${smallest?.title} (${smallest?.amountCoins} coins, ${formatRand(smallest?.priceCents ?? 0)}) to ${largest?.title} (${largest?.amountCoins} coins, ${formatRand(largest?.priceCents ?? 0)}).`,
        ],
        links: [{ to: "/how-it-works#pricing", label: "All packs" }],
      },
      {
        id: "how-do-i-pay",
        question: "How do I pay?",
        paragraphs: [
          "By card, in rand, on the secure page of our payment provider, Stripe. We never see your card number. Coins are in your wallet as soon as Stripe tells us that the payment went through, usually within seconds, and a receipt comes by e-mail.",
        ],
      },
      {
        id: "paid-but-no-coins",
        question: "I have paid but see no coins. What now?",
        paragraphs: [
          "Wait a minute and refresh the page. If the coins are not there, sign out and in again, and check that it is the account you bought with: its e-mail address is in your profile.",
          "A payment does not get lost. Should the first message from the payment provider miss us, we ask for it again every few minutes. If a quarter of an hour has passed, write to us with your e-mail address and the time of the payment.",
        ],
        links: [{ to: "/contact", label: "Contact support" }],
      },
      {
        id: "payment-declined",
        question: "My payment was declined or I cancelled it. Was I charged?",
        paragraphs: [
          "No coins, no charge. A declined payment was refused by your bank, which alone can say why; often the card is not enabled for online purchases. A bank may show a reservation for a few days before it falls away by itself.",
        ],
      },
      {
        id: "do-coins-expire",
        question: "Do coins expire?",
        paragraphs: [
          "Never. They wait in your account for as long as you have it. If you delete the account, coins left in it are forfeited; we tell you how many before you confirm.",
        ],
      },
      {
        id: "refunds",
        question: "Can I get a refund?",
        paragraphs: [
          "Purchases are final and non-refundable, and a losing tip is no reason for a refund. That is so save where the law gives you a right: where its seven days of cooling-off apply, they apply to coins of which nothing has been used. Write to us within that time if you think they do.",
          "If you were charged twice, or never got what you paid for, write to us as well, and we put it right.",
        ],
        links: [{ to: "/terms-of-service#refunds", label: "The exact words" }],
      },
      {
        id: "owing-coins",
        question: "Why does it say that I owe coins?",
        paragraphs: [
          "A purchase of yours was refunded, or its payment reversed by your bank, after some of its coins had been spent. Cards you have opened stay open, but no new one opens until a purchase has made up the difference. The checkout says how many coins of it will go there.",
          "While your bank looks into a disputed payment, you can neither open new race cards nor buy coins. Your coins stay in your wallet until the dispute is decided.",
        ],
      },
      {
        id: "abandoned-meeting",
        question: "The meeting was abandoned. Do I get my coins back?",
        paragraphs: [
          `If every tip of the card is declared void, because of non-runners or abandoned races, its ${CARD_PRICE_COINS} coins return to your wallet by themselves, once the results are entered. If only some races fell away, the card counts as delivered.`,
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
          "The whole race card: every race one tipster has tipped at one track on one day. For each you see the horse and its number, whether it is a win, place or each-way tip, how confident the tipster is, and the full analysis.",
          "Tips that the tipster adds to the card later are open to you at no further charge.",
        ],
      },
      {
        id: "how-long-open",
        question: "How long does a card stay open?",
        paragraphs: [
          "For ever. You find it under My cards, even if it has been taken off sale since or its tipster has left.",
        ],
        links: [{ to: "/my-cards", label: "My cards" }],
      },
      {
        id: "cannot-unlock",
        question: "I have coins but cannot open a card. Why?",
        paragraphs: [
          `Refresh the page, and check that you are signed in and that your balance is ${CARD_PRICE_COINS} coins or more.`,
          "A card also stays shut when it has left sale, when it is your own, or when you owe coins after a refund; the message says which. If none of it fits, write to us with the name of the tipster, the track and the date.",
        ],
        links: [{ to: "/contact", label: "Contact support" }],
      },
      {
        id: "when-off-sale",
        question: "Until when can I open a card?",
        paragraphs: [
          "Until the last race on it goes off, or until 18:00 on its day when no off times are known. If some of its races have been run, we tell you, “3 of 8 races run” for instance, and ask before taking your coins.",
        ],
      },
      {
        id: "do-tips-change",
        question: "Can a tipster change a tip after publishing it?",
        paragraphs: [
          "No. Horse, type, confidence and analysis stay as published, with the time of publishing beside them. A tipster can add races to a card, and nothing else. Not even we can make a loser disappear.",
        ],
      },
      {
        id: "win-place-each-way",
        question: "What do win, place and each-way mean?",
        paragraphs: [
          "A win tip is right if the horse finishes first. A place tip is right if it is placed. An each-way bet is half a win bet and half a place bet; in a tipster's record an each-way tip counts as right when the horse is placed. Profiles show the rates of each type apart.",
        ],
      },
      {
        id: "confidence",
        question: "What does HIGH, MEDIUM or LOW confidence mean?",
        paragraphs: [
          "How sure the tipster is, compared with their other tips. It is their own judgement and no probability. HIGH does not mean “put the house on it”; nothing on this site does.",
        ],
      },
      {
        id: "non-runners",
        question: "What happens to a tip on a non-runner?",
        paragraphs: [
          "It is declared void: neither won nor lost, and outside the tipster's record. The same goes for a race that is abandoned.",
        ],
      },
      {
        id: "going-and-weather",
        question: "Where do going, weather and off times come from?",
        paragraphs: [
          "They are shown as reported for the race day, with their source and time. Where nobody has reported anything it says “not reported”, because a guess would be worse. Check the racecourse before you rely on them.",
        ],
        links: [{ to: "/racing-tracks", label: "Racing tracks" }],
      },
      {
        id: "do-you-take-bets",
        question: "Can I place a bet here? Is a winner guaranteed?",
        paragraphs: [
          "No, and no. We sell opinions. Bets are placed with a licensed operator of your choice, and anyone who guarantees you a winner is selling something else.",
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
          "Tipsters apply and are approved by us; analysts are invited. Both publish under their own display name, with a record that starts at nothing and grows with each settled tip.",
        ],
        links: [{ to: "/top-analysts", label: "Top analysts" }],
      },
      {
        id: "how-records-work",
        question: "How is a win rate worked out?",
        paragraphs: [
          "Tips that came right, divided by all settled tips. Void tips count nowhere. A race that has gone off can no longer be tipped. Where no off time is known, a tip published at 11:00 on the day or later stays out of the record and is marked as late.",
          `Nobody has a level before ${SETTLED_FOR_LEVEL} settled tips. From then on: 80 % and more is Expert, 65 % Advanced, 50 % Good, and below that Developing.`,
        ],
      },
      {
        id: "how-rankings-work",
        question: "How does the leaderboard rank tipsters?",
        paragraphs: [
          "The Leaderboard page ranks by what a record proves: the lower end of the range in which the true rate lies, given how many tips are settled. Three winners from three are luck until shown otherwise; 300 from 1,000 are a fact.",
          "The short list on the home page is another thing: it ranks by sales, and says so.",
        ],
        links: [{ to: "/leaderboard", label: "Leaderboard" }],
      },
      {
        id: "unmarked-results",
        question: "A result is missing or wrong. Who sees to it?",
        paragraphs: [
          "The tipster marks each tip won or lost after the race, once. One that is unmarked after three days is shown as unmarked. If a result is wrong, tell us: we check it, correct it, and keep a note of who changed what.",
        ],
        links: [{ to: "/contact", label: "Report a result" }],
      },
      {
        id: "become-a-tipster",
        question: "How do I become a tipster?",
        paragraphs: [
          "Fill in the application: your name, the name you want to publish under, your experience and your favourite tracks. We read every one and answer by e-mail. When you are approved the mail holds the link that lets you in.",
        ],
        links: [{ to: "/tipster-auth", label: "Apply" }],
      },
      {
        id: "what-tipsters-earn",
        question: "What does a tipster earn, and when is it paid?",
        paragraphs: [
          `70 %: ${commission} each time someone opens one of your cards. It becomes payable 14 days after the sale and is paid by bank transfer on the 15th of the month, or on request, once R100 is payable. Less is carried forward.`,
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
        id: "confirmation-mail",
        question: "The confirmation mail has not come.",
        paragraphs: [
          "Look in the spam folder first. On the login page you can have it sent again, up to three times an hour. The link is good for one day and for one use; an older one stops counting when it has been used.",
        ],
        links: [{ to: "/login", label: "Login" }],
      },
      {
        id: "forgotten-password",
        question: "I have forgotten my password.",
        paragraphs: [
          "Ask for a new one on the login page. If the address has an account, a link arrives by mail. Setting a new password signs you out everywhere else.",
        ],
        links: [{ to: "/login", label: "Login" }],
      },
      {
        id: "change-details",
        question: "How do I change my name, e-mail address or password?",
        paragraphs: [
          "In your profile. A new e-mail address counts once you have confirmed it from the new mailbox. A new password ends all other sessions.",
        ],
        links: [{ to: "/profile", label: "Profile" }],
      },
      {
        id: "not-me",
        question: "I got a mail about an account I did not open.",
        paragraphs: [
          "Somebody typed your address, by mistake or not. Use the “this was not me” link in the mail: it removes the account, which nobody could have used without confirming it.",
        ],
      },
      {
        id: "someone-else-has-my-password",
        question: "I think somebody else has my password.",
        paragraphs: [
          "Change it in your profile, or use “forgotten password” if you cannot get in; both end all other sessions. Then look through your statement of coins, and tell us if something in it is not yours.",
        ],
      },
      {
        id: "download-data",
        question: "What do you know about me, and can I have it?",
        paragraphs: [
          "Less than most. Your profile has a button that downloads your data, and the privacy policy explains it line by line.",
        ],
        links: [{ to: "/privacy", label: "Privacy policy" }],
      },
      {
        id: "delete-account",
        question: "How do I delete my account?",
        paragraphs: [
          "In your profile, with your password. It cannot be undone: coins left are forfeited, and opened cards go with the account. Records of payments stay for 7 years, without your name.",
          "If you are stopping because of gambling, you can write to us and we close it for you. Tipsters and analysts write first as well, so that their earnings can be settled.",
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
        question: "The connection dropped while I was opening a card. Was I charged twice?",
        paragraphs: [
          `No. A card is charged once, however often you press. Open it again: if it went through the first time you simply see it, and if not, ${CARD_PRICE_COINS} coins are taken now.`,
        ],
      },
      {
        id: "balance-looks-wrong",
        question: "My balance looks wrong.",
        paragraphs: [
          "Refresh the page: a tab that has been open for a while may show an older figure. Your profile lists every movement of coins with its date. If the list is wrong too, write to us.",
        ],
        links: [{ to: "/profile", label: "Profile" }],
      },
      {
        id: "cannot-sign-in",
        question: "I cannot sign in, and now I have to wait.",
        paragraphs: [
          "After five wrong passwords there is one try a minute, to slow down whoever is guessing. Nothing is locked. Wait a minute, or set a new password.",
          "If it says that the address is not confirmed, use the link in the confirmation mail first.",
        ],
      },
      {
        id: "which-browsers",
        question: "Which browsers work?",
        paragraphs: [
          "Any current one, on a phone or a computer: Chrome, Safari, Firefox, Edge, Samsung Internet. Most pages work without scripts too, which is useful on a weak signal.",
        ],
      },
      {
        id: "page-looks-broken",
        question: "A page does not load or looks broken.",
        paragraphs: [
          "Reload it. If that does not help, try a private window, which leaves out extensions and old files. Then tell us the address of the page, what you see, and which phone or browser you use.",
        ],
        links: [{ to: "/contact", label: "Contact support" }],
      },
      {
        id: "photo-upload",
        question: "My profile photo is refused.",
        paragraphs: [
          "Tipsters and analysts can upload JPEG, PNG or WebP pictures of up to 5 MB. Without a photo you wear silks drawn from your name, which some prefer.",
        ],
      },
    ],
  },
];

/** What most people come for, in that order. */
export const POPULAR_ANSWERS: readonly string[] = [
  "paid-but-no-coins",
  "cannot-unlock",
  "what-opens",
  "buying-without-an-account",
  "refunds",
  "how-records-work",
];

/** The answers whose question or text contains the words as typed, whatever their case; no category is left empty. */
export function searchHelp(
  query: string,
  categories: readonly HelpCategory[] = HELP_CATEGORIES,
): HelpCategory[] {
  const wanted = query.trim().toLowerCase();
  const matches = (answer: HelpAnswer) =>
    [answer.question, ...answer.paragraphs].some((text) => text.toLowerCase().includes(wanted));
  return categories
    .map((category) => ({ ...category, answers: category.answers.filter(matches) }))
    .filter((category) => category.answers.length > 0);
}

/** The answer with this id, or undefined. */
export function findAnswer(id: string): HelpAnswer | undefined {
  return HELP_CATEGORIES.flatMap((category) => category.answers).find((each) => each.id === id);
}
