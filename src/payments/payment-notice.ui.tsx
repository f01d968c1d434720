import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { broadcastBalanceChange } from "#accounts/accounts.ui.tsx";
import { formatCoins } from "#domain/coins.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { useBalance } from "#wallet/wallet.ui.tsx";
import { CANCELLED_PARAMETER, PAID_PARAMETER } from "./notice-parameters.ts";
import { clearSavedFields } from "./use-saved-fields.ts";

/**
 * Shows the outcome of a payment on the page that follows it, until the user opens another page: that nothing was
 * charged after a cancelled one, and the balance after one that has opened this race card. `hasPaid` is what the server
 * says of the payment in the URL, which anybody may have sent. Removes the parameter, so that a reload does not show the
 * outcome again.
 */
export function PaymentNotice({ hasPaid }: { hasPaid: boolean }) {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const { coins } = useBalance();
  const params = new URLSearchParams(search);
  const parameter = [CANCELLED_PARAMETER, PAID_PARAMETER].find((name) => params.has(name));
  const outcome = parameter === PAID_PARAMETER && !hasPaid ? undefined : parameter;
  const [shown, setShown] = useState({ outcome, pathname });
  useEffect(() => {
    if (!parameter) return;
    setShown({ outcome, pathname });
    if (outcome === PAID_PARAMETER) {
      broadcastBalanceChange();
      clearSavedFields();
    }
    const remainingSearch = search
      .slice(1)
      .split("&")
      .filter((pair) => pair.split("=")[0] !== parameter)
      .join("&");
    void navigate(
      { pathname, search: remainingSearch, hash },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  }, [parameter, outcome, pathname, search, hash, navigate]);
  const latest = outcome ?? (shown.pathname === pathname ? shown.outcome : undefined);
  if (!latest) return null;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-4 sm:px-6">
      {latest === PAID_PARAMETER ? (
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
