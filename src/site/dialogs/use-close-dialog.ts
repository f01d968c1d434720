import { useLocation, useNavigate } from "react-router";
import { DIALOG_PARAMETERS, type DialogState } from "#ui/dialog-link.tsx";

/** Steps back to where the dialog was opened; takes it out of the address where it was opened by that. */
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
