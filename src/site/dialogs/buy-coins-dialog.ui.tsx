import { useLocation } from "react-router";
import { CoinPacks } from "#payments/payments.ui.tsx";
import { removeDialogParameters } from "#ui/dialog-navigation.ts";
import type { LayoutViewer } from "../layout/site-layout.ui.tsx";

/** The coin packs. After the payment the buyer returns to the current page. */
export default function BuyCoinsDialog({ viewer }: { viewer: LayoutViewer }) {
  const { pathname, search } = useLocation();
  return (
    <CoinPacks
      returnTo={removeDialogParameters({ pathname, search })}
      owedCoins={viewer.owedCoins}
    />
  );
}
