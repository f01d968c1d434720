import { useLocation } from "react-router";
import { AccountForm } from "#accounts/accounts.ui.tsx";
import { addDialogToSearch, DIALOG_PARAMETERS } from "#ui/dialog-link.tsx";
import { removeDialogParameters } from "#ui/dialog-navigation.ts";
import type { AccountDialogValue } from "./account-dialog-value.ts";

/** The sign-in and registration forms. After sign-in they lead to the requested race card. */
export default function AccountDialog({ mode, raceCardId }: AccountDialogValue) {
  const { pathname, search } = useLocation();
  const otherMode = mode === "register" ? "sign-in" : "register";
  const opens = `account=${otherMode}${raceCardId ? `:${raceCardId}` : ""}`;
  return (
    <AccountForm
      mode={mode}
      returnTo={
        raceCardId ? `/race-cards/${raceCardId}` : removeDialogParameters({ pathname, search })
      }
      otherModeUrl={addDialogToSearch(search, opens, DIALOG_PARAMETERS)}
    />
  );
}
