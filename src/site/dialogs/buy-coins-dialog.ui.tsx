import { useLocation } from "react-router";
import { CoinPacks } from "#payments/payments.ui.tsx";
import { withoutDialog } from "#ui/only-dialog.ts";
import type { FrameViewer } from "../frame/frame.ui.tsx";

/** The coin packs. After the payment the buyer returns to the current page. */
export default function BuyCoinsDialog({ viewer }: { viewer: FrameViewer }) {
  const { pathname, search } = useLocation();
  return <CoinPacks returnTo={withoutDialog({ pathname, search })} owedCoins={viewer.owedCoins} />;
}
