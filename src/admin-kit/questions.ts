import { formatCoins } from "#domain/coins.ts";
import type { Question } from "./admin-action-result.ts";

// The questions that stand before what cannot be taken back: asked in a dialog, or on a page of its
// own where there are no scripts.

export const HIDE_TIP: Question = {
  title: "Hide tip",
  message: "It goes off sale and off the lists. Its buyers keep it, and its tipster is told.",
  confirmText: "Hide",
  asksReason: true,
};

export const DELETE_TIP: Question = {
  title: "Delete tip",
  message: "Are you sure you want to delete this tip? This action cannot be undone.",
  confirmText: "Delete",
  asksReason: true,
};

/** Before a venue is deleted; with tips on sale it says how many. */
export function deleteVenueQuestion(
  name: string,
  onSale: { tips: number; raceCards: number },
): Question {
  const { tips, raceCards } = onSale;
  const counts = `${name} has ${tips} active ${tips === 1 ? "tip" : "tips"} on ${raceCards} ${raceCards === 1 ? "race card" : "race cards"} on sale.`;
  return {
    title: "Delete venue",
    message: `Are you sure you want to delete this venue?${tips > 0 ? ` ${counts} They keep its name, but no more tips can be published there.` : ""}`,
    confirmText: "Delete",
  };
}

/** Before coins are granted: how many, and to whom. */
export function grantQuestion(amountCoins: number, name: string): Question {
  return {
    title: `Grant ${formatCoins(amountCoins)} to ${name}?`,
    message: "The coins are in their wallet immediately. A grant cannot be undone.",
    confirmText: "Grant coins",
    isDestructive: false,
  };
}

export const VOID_CARD: Question = {
  title: "Void the whole card",
  message:
    "Every race of this card counts for nothing, and whoever opened it gets the 4 coins back. This action cannot be undone.",
  confirmText: "Void the card",
};

export function suspendQuestion(name: string): Question {
  return {
    title: `Suspend ${name}`,
    message:
      "Their cards leave sale, they leave the lists, and they are signed out. Opened cards stay open, and what was earned stays owed.",
    confirmText: "Suspend",
    asksReason: true,
  };
}

export function withdrawQuestion(name: string): Question {
  return {
    title: `Withdraw the invitation of ${name}`,
    message: "They are no longer asked to write. You can invite them again.",
    confirmText: "Withdraw",
  };
}

export function signOutQuestion(name: string): Question {
  return {
    title: `Sign ${name} out everywhere`,
    message:
      "Every session of theirs ends, on every phone and computer. The password stays: whoever knows it signs in again.",
    confirmText: "Sign out",
  };
}

export function closeQuestion(name: string, coins: number | null): Question {
  const forfeited =
    coins === null
      ? "Their coins are forfeited."
      : coins > 0
        ? `${coins} ${coins === 1 ? "coin is" : "coins are"} forfeited.`
        : "They hold no coins.";
  return {
    title: `Close the account of ${name}`,
    message: `${forfeited} Their name, address and password go for good; the entries about money stay. This action cannot be undone.`,
    confirmText: "Close account",
  };
}
