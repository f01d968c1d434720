import { Outlet } from "react-router";
import { env } from "#platform/env.server.ts";

/** What the information pages name: the public address, the company, the payment provider and the support address. */
export function loader() {
  const { appUrl, company, provider, mail } = env();
  return { appUrl, company, provider, supportEmail: mail.supportTo };
}

/** Nothing of it changes while the server runs. */
export function shouldRevalidate() {
  return false;
}

/** A page in here is the same for every guest; one that follows the day's racing says so itself. */
export function headers() {
  return { "Cache-Control": "s-maxage=3600" };
}

export default function InformationLayout() {
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
      <Outlet />
    </div>
  );
}
