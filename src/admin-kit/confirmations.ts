import { formatCoins } from "#domain/coins.ts";
import type { Confirmation } from "./admin-action-result.ts";

// The confirmations of admin actions, shown in a dialog, or on a separate page without JavaScript.

export const HIDE_TIP_CONFIRMATION: Confirmation = {
  title: "Hide tip",
  message: "It goes off sale and off the lists. Its buyers keep it, and we notify its tipster.",
  confirmText: "Hide",
  hasReasonField: true,
};

export const DELETE_TIP_CONFIRMATION: Confirmation = {
  title: "Delete tip",
  message: "Are you sure you want to delete this tip? This action cannot be undone.",
  confirmText: "Delete",
  hasReasonField: true,
};

/** Returns the confirmation for deleting a venue, with the number of its tips on sale. */
export function deleteVenueConfirmation(
  name: string,
  onSale: { tips: number; raceCards: number },
): Confirmation {
  const { tips, raceCards } = onSale;
  const counts = `${name} has ${tips} active ${tips === 1 ? "tip" : "tips"} on ${raceCards} ${raceCards === 1 ? "race card" : "race cards"} on sale.`;
  return {
    title: "Delete venue",
    message: `Are you sure you want to delete this venue?${tips > 0 ? ` ${counts} They keep its name, but no more tips can be published there.` : ""}`,
    confirmText: "Delete",
  };
}

export function grantCoinsConfirmation(amountCoins: number, name: string): Confirmation {
  return {
    title: `Grant ${formatCoins(amountCoins)} to ${name}?`,
    message: "The coins are in their wallet immediately. A grant cannot be undone.",
    confirmText: "Grant coins",
    isDestructive: false,
    hasCodeField: true,
  };
}

export const RELEASE_EARNING_CONFIRMATION: Confirmation = {
  title: "Release earning",
  message: "It can be paid out from its payable date.",
  confirmText: "Release",
  isDestructive: false,
  hasCodeField: true,
};

export const REVERSE_EARNING_CONFIRMATION: Confirmation = {
  title: "Reverse earning",
  message: "The tipster isn't paid for this sale. The buyer keeps the race card.",
  confirmText: "Reverse",
  hasCodeField: true,
};

export const RESOLVE_TRANSFER_CONFIRMATION: Confirmation = {
  title: "Resolve transfer",
  message:
    "The books stay as they are. If the transfer failed here, its money must have been claimed back. If it was paid here, its money must have arrived.",
  confirmText: "Resolve",
  hasCodeField: true,
};

/** Returns the confirmation for voiding a race card. `effect` is null if another admin must void it too. */
export function voidRaceCardConfirmation(effect: string | null): Confirmation {
  return {
    title: "Void race card",
    message: effect
      ? `All tips on this race card become void. ${effect} This action cannot be undone.`
      : "Nothing changes until another admin voids it too. Then all its tips become void, and its buyers get back the coins that are due.",
    confirmText: "Void race card",
  };
}

/** Returns the confirmation for setting the result of a tip, with what it changes. */
export function setResultConfirmation(effect: string): Confirmation {
  return { title: "Set result", message: effect, confirmText: "Set result", isDestructive: false };
}

export function suspendCreatorConfirmation(name: string): Confirmation {
  return {
    title: `Suspend ${name}`,
    message:
      "Their race cards go off sale, they are removed from the lists and logged out. Buyers keep their race cards. Earnings to date are still paid.",
    confirmText: "Suspend",
    hasReasonField: true,
  };
}

export function withdrawInvitationConfirmation(name: string): Confirmation {
  return {
    title: `Withdraw the invitation of ${name}`,
    message: "Their invitation is cancelled. You can invite them again.",
    confirmText: "Withdraw",
  };
}

export const CANCEL_ADMIN_INVITATION_CONFIRMATION: Confirmation = {
  title: "Cancel the invitation",
  message: "The link in the email stops working. You can invite them again.",
  confirmText: "Cancel the invitation",
};

export function signOutConfirmation(name: string): Confirmation {
  return {
    title: `Log ${name} out everywhere`,
    message:
      "They are logged out on every device. Their password doesn't change, so anyone who knows it can log in again.",
    confirmText: "Log out",
  };
}

export function closeAccountConfirmation(name: string, coins: number | null): Confirmation {
  const outcome =
    coins === 0
      ? "They have no coins."
      : "The coins they bought and didn't spend are refunded; the others lapse.";
  return {
    title: `Close the account of ${name}`,
    message: `${outcome} Their name, email address and password are permanently deleted. Payment records are kept. This action cannot be undone.`,
    confirmText: "Close account",
  };
}

export const DISCARD_RESULT_CONFIRMATION: Confirmation = {
  title: "Discard result",
  message: "This result is not confirmed yet. After you discard it, you can enter a new one.",
  confirmText: "Discard",
};
