import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { CANCELLED_PARAMETER } from "./cancelled-path.ts";

/**
 * Shows after a cancelled payment that nothing was charged, until the user opens another page. Removes the
 * parameter from the URL, so that a reload does not show it again.
 */
export function CancelledNotice() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isCancelled = new URLSearchParams(search).has(CANCELLED_PARAMETER);
  const [noticePath, setNoticePath] = useState(isCancelled ? pathname : null);
  useEffect(() => {
    if (!isCancelled) return;
    setNoticePath(pathname);
    const remainingSearch = search
      .slice(1)
      .split("&")
      .filter((parameter) => parameter.split("=")[0] !== CANCELLED_PARAMETER)
      .join("&");
    void navigate(
      { pathname, search: remainingSearch, hash },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  }, [isCancelled, pathname, search, hash, navigate]);
  if (!isCancelled && noticePath !== pathname) return null;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-4 sm:px-6">
      <FormMessage type="info">Payment cancelled. You have not been charged.</FormMessage>
    </div>
  );
}
