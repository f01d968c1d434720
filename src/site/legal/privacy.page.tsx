import text from "#content/legal/privacy.mdx";
import { publicMeta } from "#platform/public-meta.ts";
import type { Route } from "./+types/privacy.page.ts";
import { LegalDocument } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Privacy policy",
    description:
      "What personal information Furlong keeps, why, for how long, who sees it, and your rights under POPIA.",
    path: "/privacy",
  });
}

export default function Privacy() {
  return <LegalDocument text={text} />;
}
