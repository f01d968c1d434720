import { useEffect } from "react";
import { useNavigate } from "react-router";

/** Redirects to another page of this site after a delay, with or without JavaScript. */
export function DelayedRedirect({
  target,
  delaySeconds,
}: {
  target: string;
  delaySeconds: number;
}) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate(target, { replace: true }), delaySeconds * 1000);
    return () => clearTimeout(timer);
  }, [navigate, target, delaySeconds]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={`${delaySeconds};url=${target}`} />
    </noscript>
  );
}
