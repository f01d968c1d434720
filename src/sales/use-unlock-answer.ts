import { useNavigate } from "react-router";
import { CARD_PRICE_COINS, COIN_CENTS, formatCoins, formatRand } from "#domain/coins.ts";
import { announceBalance, SESSION_EXPIRED } from "#identity/identity.ui.tsx";
import { saveOpenedRaceCard } from "#platform/offline.ts";
import { DIALOG_PARAMETERS, type DialogState, searchWithDialog } from "#ui/dialog-link.tsx";
import { useRefresh } from "#ui/hooks/use-refresh.ts";
import { useNotification } from "#ui/notifications/notification.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { useBalance } from "#wallet/wallet.ui.tsx";
import type { PanelRaceCard } from "./race-card-panel.ui.tsx";
import type { UnlockResponse } from "./request-unlock.ts";
import { noResponseMessage, openedMessage } from "./unlock-messages.ts";

/** What the page does when the server has answered a wish to open a card. */
export function useUnlockAnswer(): (answer: UnlockResponse, raceCard: PanelRaceCard) => void {
  const { setCoins } = useBalance();
  const { confirm } = useNotification();
  const navigate = useNavigate();
  const refresh = useRefresh();

  const openOverPage = (opens: string) =>
    navigate(
      { search: searchWithDialog(window.location.search, opens, DIALOG_PARAMETERS) },
      { state: { isDialog: true } satisfies DialogState, preventScrollReset: true },
    );

  const offerCoins = async (message: string) => {
    const wantsCoins = await confirm({
      title: "Insufficient Coins",
      message: `${message} The smallest pack is ${formatCoins(CARD_PRICE_COINS)} for ${formatRand(CARD_PRICE_COINS * COIN_CENTS)}.`,
      confirmText: "Buy Coins",
      cancelText: "Not now",
    });
    if (wantsCoins) openOverPage("buy-coins");
  };
  const offerSignIn = async () => {
    const wantsIn = await confirm({
      title: SESSION_EXPIRED,
      message: "You have not been charged. Log in and we'll bring you back to this race card.",
      confirmText: "Log In",
      cancelText: "Not now",
    });
    if (wantsIn) openOverPage("account=sign-in");
  };

  return (answer, raceCard) => {
    if (answer.ok) {
      setCoins(answer.balanceCoins);
      announceBalance();
      saveOpenedRaceCard(raceCard.id);
      const { tips, balanceCoins } = answer;
      showToast({ type: "success", ...openedMessage({ raceCount: tips.length, balanceCoins }) });
      return;
    }
    if (answer.refusal === "unreachable") {
      showToast({ type: "error", ...noResponseMessage(raceCard.races.length) });
      return;
    }
    // What the page shows is no longer so: the balance, or what is on sale, or who is here.
    void refresh();
    if (answer.refusal === "not-signed-in") {
      void offerSignIn();
      return;
    }
    if (answer.refusal === "too-few-coins" || answer.refusal === "owing") {
      void offerCoins(answer.message);
      return;
    }
    showToast({ type: "error", title: answer.message });
  };
}
