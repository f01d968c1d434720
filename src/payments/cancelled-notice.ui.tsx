import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { CANCELLED } from "./cancelled-path.ts";

/**
 * Tells whoever turned back from the payment page that nothing was charged, until they go on to
 * another page. The address forgets it at once, so that it is not said again.
 */
export function CancelledNotice() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isCancelled = new URLSearchParams(search).has(CANCELLED);
  const [saidOn, setSaidOn] = useState(isCancelled ? pathname : null);
  useEffect(() => {
    if (!isCancelled) return;
    setSaidOn(pathname);
    const rest = search
      .slice(1)
      .split("&")
      .filter((part) => part.split("=")[0] !== CANCELLED)
      .join("&");
    void navigate(
      { pathname, search: rest, hash },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  }, [isCancelled, pathname, search, hash, navigate]);
  if (!isCancelled && saidOn !== pathname) return null;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-4 sm:px-6">
      <FormMessage type="info">Payment cancelled. You have not been charged.</FormMessage>
    </div>
  );
}
