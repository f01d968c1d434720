import text from "#content/legal/responsible-gambling.mdx";
import { publicMeta } from "#platform/public-meta.ts";
import type { Route } from "./+types/responsible-gambling.page.ts";
import { LegalDocument } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Responsible gambling",
    description:
      "Free, confidential help with gambling in South Africa: 0800 006 008, 24 hours a day. Warning signs, limits, self-exclusion and where to turn.",
    path: "/responsible-gambling",
  });
}

export default function ResponsibleGambling() {
  return <LegalDocument text={text} />;
}
