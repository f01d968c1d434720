import { useLocation } from "react-router";
import { AccountForm, type AccountMode } from "#identity/identity.ui.tsx";
import { DIALOG_PARAMETERS, searchWith } from "#ui/dialog-link.tsx";
import { withoutDialog } from "./only-dialog.ts";

/** Signing in or opening an account without leaving the page. */
export default function AccountDialog({ mode }: { mode: AccountMode }) {
  const { pathname, search } = useLocation();
  const other = mode === "register" ? "sign-in" : "register";
  return (
    <AccountForm
      mode={mode}
      returnTo={withoutDialog({ pathname, search })}
      otherMode={searchWith(search, `account=${other}`, DIALOG_PARAMETERS)}
    />
  );
}
