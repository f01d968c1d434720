import { Outlet } from "react-router";
import { describePaymentProvider } from "#payments/payments.server.ts";
import { env } from "#platform/env.server.ts";
import { readSaleTerms } from "#wallet/wallet.server.ts";

export async function loader() {
  const { appUrl, company, mail, tipCutOffMinutes } = env();
  const provider = describePaymentProvider();
  return {
    appUrl,
    company,
    provider,
    supportEmail: mail.supportTo,
    tipCutOffMinutes,
    saleTerms: await readSaleTerms(),
  };
}

/** Guests share one cached copy for so short a time that a change of the creators' share is shown on its first day. */
export function headers() {
  return { "Cache-Control": "s-maxage=300" };
}

export default function InformationLayout() {
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
      <Outlet />
    </div>
  );
}
