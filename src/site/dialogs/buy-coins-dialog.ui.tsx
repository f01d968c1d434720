import { useLocation } from "react-router";
import { CoinPacks } from "#payments/payments.ui.tsx";
import { removeDialogParameters } from "#ui/dialog-navigation.ts";
import type { LayoutViewer } from "../layout/site-layout.ui.tsx";

/** The coin packs. After the payment the buyer returns to the current page. */
export default function BuyCoinsDialog({
  viewer,
  raceCardId,
  missingCoins,
}: {
  viewer: LayoutViewer;
  /** The race card that the viewer wants to open. */
  raceCardId?: string;
  /** The coins that are missing to open it. */
  missingCoins: number;
}) {
  const { pathname, search } = useLocation();
  return (
    <CoinPacks
      returnTo={removeDialogParameters({ pathname, search })}
      raceCardId={raceCardId}
      missingCoins={missingCoins}
      owedCoins={viewer.owedCoins}
    />
  );
}
