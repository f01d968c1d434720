import { useNavigate } from "react-router";
import { broadcastBalanceChange, SESSION_EXPIRED } from "#accounts/accounts.ui.tsx";
import { saveOpenedRaceCard } from "#platform/offline.ts";
import { addDialogToSearch, DIALOG_PARAMETERS, type DialogState } from "#ui/dialog-link.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { useRefresh } from "#ui/use-refresh.ts";
import { useBalance } from "#wallet/wallet.ui.tsx";
import type { UnlockResponse } from "./request-unlock.ts";
import { noResponseMessage, openedMessage } from "./unlock-messages.ts";

/** The history state of a race card's page. */
export type RaceCardPageState = {
  /** The viewer has just opened the race card on another page. */
  isNewlyOpened: true;
};

type UnlockResponseHandler = (
  response: UnlockResponse,
  raceCard: { id: string; races: readonly unknown[] },
) => void;

/** Returns the handler of unlock responses for other pages than the race card's, which shows the opened race card. */
export function useUnlockAndShow(): UnlockResponseHandler {
  const handleUnlockResponse = useUnlockResponse();
  const navigate = useNavigate();
  return (response, raceCard) => {
    handleUnlockResponse(response, raceCard);
    if (response.ok)
      void navigate(`/race-cards/${raceCard.id}`, {
        state: { isNewlyOpened: true } satisfies RaceCardPageState,
      });
  };
}

/** Returns the handler of unlock responses: it updates the balance and shows the message. */
export function useUnlockResponse(): UnlockResponseHandler {
  const { setCoins } = useBalance();
  const { confirm } = useNotification();
  const navigate = useNavigate();
  const refresh = useRefresh();

  const openDialog = (dialogParameter: string) =>
    navigate(
      { search: addDialogToSearch(window.location.search, dialogParameter, DIALOG_PARAMETERS) },
      { state: { isDialog: true } satisfies DialogState, preventScrollReset: true },
    );

  const offerSignIn = async (raceCardId: string) => {
    const wantsSignIn = await confirm({
      title: SESSION_EXPIRED,
      message: "You have not been charged. Log in and we'll bring you back to this race card.",
      confirmText: "Log In",
      cancelText: "Not now",
    });
    if (wantsSignIn) openDialog(`account=sign-in:${raceCardId}:expired`);
  };

  return (response, raceCard) => {
    if (response.ok) {
      setCoins(response.balanceCoins);
      broadcastBalanceChange();
      saveOpenedRaceCard(raceCard.id);
      showToast({ type: "success", ...openedMessage(response) });
      return;
    }
    if (response.refusal === "unreachable") {
      showToast({ type: "error", ...noResponseMessage(raceCard.races.length) });
      return;
    }
    // The page is outdated: the balance, the race cards on sale or the session have changed.
    void refresh();
    if (response.refusal === "not-signed-in") {
      void offerSignIn(raceCard.id);
      return;
    }
    if (response.refusal === "too-few-coins" || response.refusal === "owing") {
      // The dialog names the missing coins and sells packs that have them.
      void openDialog(`buy-coins=${raceCard.id}`);
      return;
    }
    showToast({ type: "error", title: response.message });
  };
}
