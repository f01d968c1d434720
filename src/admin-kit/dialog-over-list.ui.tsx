import { type ReactNode, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { Dialog } from "#ui/dialog.tsx";
import { useHydrated } from "#ui/hooks/use-hydrated.ts";
import { Panel } from "#ui/panel.tsx";

/** The state of a link whose page opens as a dialog over the list it stands in. */
export const OPENED_OVER_LIST = { isOverList: true } as const;

const CLOSES_MS = 200;

type OverProps = {
  title: string;
  /** The list behind it. */
  list: string;
  children: (close: () => void) => ReactNode;
};

/** A form of its own address: a dialog over its list for whoever comes from there, else above it. */
export function DialogOverList({ title, list, children }: OverProps) {
  const { state } = useLocation();
  const isDialog = useHydrated() && (state as typeof OPENED_OVER_LIST | null)?.isOverList === true;
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    setTimeout(
      () => (isDialog ? navigate(-1) : navigate(list, { preventScrollReset: true })),
      isDialog ? CLOSES_MS : 0,
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
