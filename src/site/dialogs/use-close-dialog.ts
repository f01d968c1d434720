import { useLocation, useNavigate } from "react-router";
import { DIALOG_PARAMETERS, type DialogState } from "#ui/dialog-link.tsx";

/**
 * Returns a function that goes back to the page under the dialog, or removes the dialog from the
 * URL.
 */
export function useCloseDialog(): () => void {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  return () => {
    const dialog = state as DialogState | null;
    if (dialog?.isDialog) {
      navigate(-(dialog.steps ?? 1));
      return;
    }
    const rest = new URLSearchParams(search);
    for (const name of DIALOG_PARAMETERS) rest.delete(name);
    navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
  };
}
