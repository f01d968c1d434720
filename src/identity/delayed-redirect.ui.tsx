import { useEffect } from "react";
import { useNavigate } from "react-router";

/** Goes on to another page of ours after a while, with or without scripts. */
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
