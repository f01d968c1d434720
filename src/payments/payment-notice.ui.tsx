import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { formatCoins } from "#domain/coins.ts";
import { broadcastBalanceChange } from "#identity/identity.ui.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { useBalance } from "#wallet/wallet.ui.tsx";
import { NOTICE_PARAMETERS } from "./notice-parameters.ts";
import { clearSavedFields } from "./use-saved-fields.ts";

/**
 * Shows the outcome of a payment on the page that follows it, until the user opens another page: that nothing was
 * charged after a cancelled one, and the balance after one that has opened this race card. Removes the parameter from
 * the URL, so that a reload does not show it again.
 */
export function PaymentNotice() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const { coins } = useBalance();
  const params = new URLSearchParams(search);
  const outcome = NOTICE_PARAMETERS.find((name) => params.has(name)) ?? null;
  const [shown, setShown] = useState({ outcome, pathname });
  useEffect(() => {
    if (!outcome) return;
    setShown({ outcome, pathname });
    if (outcome === "paid") {
      broadcastBalanceChange();
      clearSavedFields();
    }
    const remainingSearch = search
      .slice(1)
      .split("&")
      .filter((parameter) => parameter.split("=")[0] !== outcome)
      .join("&");
    void navigate(
      { pathname, search: remainingSearch, hash },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  }, [outcome, pathname, search, hash, navigate]);
  const latest = outcome ?? (shown.pathname === pathname ? shown.outcome : null);
  // Nothing is said of a payment to a guest, who may have followed somebody's link.
  if (!latest || (latest === "paid" && coins === null)) return null;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-4 sm:px-6">
      {latest === "paid" ? (
        <FormMessage type="success" title="Payment Successful">
          Your race card is open
          {coins ? `, and you have ${formatCoins(coins)} for the next one` : null}. We've emailed
          you a receipt and a link to confirm your email address.
        </FormMessage>
      ) : (
        <FormMessage type="info">Payment cancelled. You have not been charged.</FormMessage>
      )}
    </div>
  );
}
