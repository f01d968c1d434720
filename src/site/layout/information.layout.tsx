import { Outlet } from "react-router";
import { describePaymentProvider } from "#payments/payments.server.ts";
import { env } from "#platform/env.server.ts";

export function loader() {
  const { appUrl, company, mail } = env();
  const provider = describePaymentProvider();
  return { appUrl, company, provider, supportEmail: mail.supportTo };
}

/** The data comes from the environment and does not change while the server runs. */
export function shouldRevalidate() {
  return false;
}

/** Guests share one cached copy. A page with changing content sets its own header. */
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
