import text from "#content/legal/disclaimer.mdx";
import { publicMeta } from "#platform/public-meta.ts";
import type { Route } from "./+types/disclaimer.page.ts";
import { LegalDocument } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Disclaimer",
    description:
      "Tips on Furlong are opinions. No bets are taken here, no result is promised, and past results say nothing certain about future ones.",
    path: "/disclaimer",
  });
}

export default function Disclaimer() {
  return <LegalDocument text={text} />;
}
