import text from "#content/legal/terms-of-service.mdx";
import { publicMeta } from "#platform/public-meta.ts";
import type { Route } from "./+types/terms-of-service.page.ts";
import { LegalDocument } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Terms of service",
    description:
      "The agreement between you and Furlong: accounts, coins, race cards, payment, refunds and what happens when something goes wrong.",
    path: "/terms-of-service",
  });
}

export default function TermsOfService() {
  return <LegalDocument text={text} />;
}
