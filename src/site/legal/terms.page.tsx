import text from "#content/legal/terms.mdx";
import { publicMeta } from "#platform/public-meta.ts";
import type { Route } from "./+types/terms.page.ts";
import { LegalDocument } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Tipster terms",
    description:
      "Terms & Conditions for tipsters and analysts on Furlong: submitting tips, commission, payouts on the 15th, conduct and termination.",
    path: "/terms",
  });
}

export default function TipsterTerms() {
  return <LegalDocument text={text} />;
}
