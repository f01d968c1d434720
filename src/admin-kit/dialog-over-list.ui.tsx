import { type ReactNode, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { Dialog } from "#ui/dialog.tsx";
import { Panel } from "#ui/panel.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";

/** The router state of a link that opens its page as a dialog over the list. */
export const OPENED_OVER_LIST = { isOverList: true } as const;

const CLOSE_ANIMATION_MS = 200;

type DialogOverListProps = {
  title: string;
  /** The path of the list page. */
  listPath: string;
  children: (close: () => void) => ReactNode;
};

/** Renders a form page as a dialog when it was opened from its list, otherwise as a panel. */
export function DialogOverList({ title, listPath, children }: DialogOverListProps) {
  const { state } = useLocation();
  const isDialog = useHydrated() && (state as typeof OPENED_OVER_LIST | null)?.isOverList === true;
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    setTimeout(
      () => (isDialog ? navigate(-1) : navigate(listPath, { preventScrollReset: true })),
      isDialog ? CLOSE_ANIMATION_MS : 0,
    );
  };
  if (!isDialog)
    return (
      <Panel title={title} className="mb-6 max-w-xl">
        {children(close)}
      </Panel>
    );
  return (
    <Dialog open={open} onOpenChange={(next) => (next ? undefined : close())} title={title}>
      {children(close)}
    </Dialog>
  );
}
