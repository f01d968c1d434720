import { useEffect } from "react";
import { useNavigate } from "react-router";

/** Redirects to another page of this site after a delay, with or without JavaScript. */
export function DelayedRedirect({ to, afterSeconds }: { to: string; afterSeconds: number }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate(to, { replace: true }), afterSeconds * 1000);
    return () => clearTimeout(timer);
  }, [navigate, to, afterSeconds]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`${afterSeconds};url=${to}`} />
    </noscript>
  );
}
