import { useLocation } from "react-router";
import { CoinPacks } from "#payments/payments.ui.tsx";
import type { FrameViewer } from "./frame.ui.tsx";
import { withoutDialog } from "./only-dialog.ts";

/** The coin packs over the page that the buyer comes back to. */
export default function BuyCoinsDialog({ viewer }: { viewer: FrameViewer }) {
  const { pathname, search } = useLocation();
  return <CoinPacks returnTo={withoutDialog({ pathname, search })} owedCoins={viewer.owedCoins} />;
}
