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
    if ((state as DialogState | null)?.isDialog) {
      navigate(-1);
      return;
    }
    const params = new URLSearchParams(search);
    for (const name of DIALOG_PARAMETERS) params.delete(name);
    navigate({ search: params.toString() }, { replace: true, preventScrollReset: true });
  };
}
